// Generates a client in Python from the OpenAPI document: one method for each operation, standard library only.
import type { Document } from '../openapi.ts'
import { clientOperations, type ClientOperation } from './operations.ts'

const HEAD = `"""Client of Holdfast, generated from its OpenAPI document. Python 3.9 or newer, standard library only.

    hf = Holdfast("http://127.0.0.1:8080", api_key)
    account = hf.post_accounts({"itemData": {}})["newAccount"]

A body is what the document describes. Numbers with a fraction are read as decimal.Decimal. A statement as CSV is a
str. An idempotencyId in itemData is the idempotency key of the call. A call that writes has an
idempotency key and is repeated with it when the connection fails, when the answer has Retry-After (30 seconds at most), and when a host
between client and service answers 5xx in its place. A redirect is not followed. A refusal, and a redirect, raises
HoldfastError. If no attempt has a readable
answer, HoldfastUnanswered is raised: the call may have had its effect. So it is if an attempt of a call that writes has
no answer, or a 5xx, and a later attempt is refused: __cause__ is the refusal. Both have idempotency_key: the same call
with that key happens at most once. Never repeat it as a new call after HoldfastUnanswered, or after a HoldfastError of
status 5xx. After another HoldfastError no attempt of the call had an effect.
"""
import json
import time
import uuid
from decimal import Decimal
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

ATTEMPTS = 4
# Seconds. A call whose Retry-After is longer is not repeated.
LONGEST_WAIT = 30


class HoldfastError(Exception):
    """A refusal: status, problem (the document), its codes, and the idempotency key of a call that writes."""

    def __init__(self, status, problem, idempotency_key=None):
        super().__init__(problem.get("detail") or f"status {status}")
        self.status = status
        self.problem = problem
        self.codes = [each.get("code") for each in problem.get("errors", [])]
        self.idempotency_key = idempotency_key


class HoldfastUnanswered(Exception):
    def __init__(self, idempotency_key):
        super().__init__("the service did not answer an attempt; the call may have had its effect")
        self.idempotency_key = idempotency_key


class _Redirects(HTTPRedirectHandler):
    """Not followed: a redirect would carry the API key to another host."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        return None


_open = build_opener(_Redirects).open


def _plain(value):
    if isinstance(value, Decimal):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


class Holdfast:
    def __init__(self, url, api_key, cluster_id=None, timeout=60):
        self._url = url.rstrip("/")
        self._api_key = api_key
        self._cluster_id = cluster_id
        self._timeout = timeout

    def _call(self, method, path, body=None, query=None, idempotency_key=None, writes=False):
        headers = {"Authorization": f"Bearer {self._api_key}", "Accept": "application/json"}
        data = None
        if body is not None:
            data = json.dumps(body, default=_plain).encode()
            headers["Content-Type"] = "application/json"
        if writes and _named_in(body) is None:
            # The service refuses an empty key: a random one in its place would pay again at each repetition.
            idempotency_key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
            headers["Idempotency-Key"] = idempotency_key
        elif writes:
            idempotency_key = _named_in(body)
        parameters = dict(query or {})
        if self._cluster_id is not None:
            parameters["chainClusterId"] = self._cluster_id
        url = self._url + path + ("?" + urlencode(parameters) if parameters else "")
        may_have_effect = False
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with _open(Request(url, data, headers, method=method), timeout=self._timeout) as answer:
                    return _content(answer, idempotency_key)
            except HTTPError as refusal:
                error = HoldfastError(refusal.code, _problem(refusal), idempotency_key)
                is_unknown = refusal.code >= 500 and not error.codes
                may_have_effect = may_have_effect or refusal.code >= 500
                is_repeated = is_unknown or (refusal.code == 504 and "OUTCOME_UNKNOWN" in error.codes)
                wait = _seconds(refusal.headers.get("Retry-After"), 2 ** attempt / 10 if is_repeated else None)
                if wait is None or attempt == ATTEMPTS:
                    # The service refuses an API key before it looks up the idempotency key.
                    if is_unknown or (writes and may_have_effect and refusal.code < 500):
                        raise HoldfastUnanswered(idempotency_key) from error
                    raise error from None
                time.sleep(wait)
            except (OSError, HTTPException) as failure:
                may_have_effect = True
                if attempt == ATTEMPTS:
                    raise HoldfastUnanswered(idempotency_key) from failure
                time.sleep(2 ** attempt / 10)


def _named_in(body):
    """idempotencyId of the body is the key then."""
    item = body.get("itemData") if isinstance(body, dict) else None
    return item.get("idempotencyId") if isinstance(item, dict) else None


def _content(answer, idempotency_key):
    text = answer.read()
    try:
        if answer.headers.get("Content-Type", "").startswith("text/csv"):
            return text.decode()
        return json.loads(text, parse_float=Decimal)
    except ValueError as failure:
        raise HoldfastUnanswered(idempotency_key) from failure


def _problem(refusal):
    """Empty if the answer is not a problem document: a host between client and service answered."""
    if 300 <= refusal.code < 400:
        return {"detail": f"redirect to {refusal.headers.get('Location')} is not followed: use that address"}
    try:
        problem = json.loads(refusal.read())
        errors = problem.get("errors") if isinstance(problem, dict) else None
        is_document = isinstance(errors, list) and all(
            isinstance(each, dict) and isinstance(each.get("code"), str) for each in errors
        )
        return problem if is_document else {}
    except (ValueError, OSError, HTTPException):
        return {}


def _seconds(retry_after, otherwise):
    """Retry-After is seconds, or an HTTP date. None: the call is not repeated."""
    if retry_after is None:
        return otherwise
    try:
        is_number = retry_after.isdecimal()
        wait = float(retry_after) if is_number else parsedate_to_datetime(retry_after).timestamp() - time.time()
    except (TypeError, ValueError, OverflowError):
        return otherwise
    return max(0.0, wait) if wait <= LONGEST_WAIT else None
`

export function pythonClient(document: Document): string {
  const [imports = '', rest = ''] = HEAD.split('\n\ndef _named_in(')
  const methods = clientOperations(document).map(method).join('\n')
  return `${imports.trimEnd()}\n${methods}\n\n\ndef _named_in(${rest}`
}

function method({ id, method: verb, path, pathNames, hasBody, writes, summary, description }: ClientOperation): string {
  const places = pathNames.map((name) => snake(name))
  const parameters = [
    'self',
    ...places,
    ...(hasBody ? ['body'] : ['query=None']),
    ...(writes ? ['idempotency_key=None'] : []),
  ]
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => `{quote(${snake(name)}, safe="")}`)
  const target = pathNames.length === 0 ? `"${path}"` : `f'${filled}'`
  const given = [
    hasBody ? 'body' : 'query=query',
    ...(writes ? ['idempotency_key=idempotency_key', 'writes=True'] : []),
  ]
  return `
    def ${snake(id)}(${parameters.join(', ')}):
        """${summary}. ${description}"""
        return self._call("${verb}", ${target}, ${given.join(', ')})`
}

export function snake(name: string): string {
  return name
    .replaceAll('-', '_')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
}
