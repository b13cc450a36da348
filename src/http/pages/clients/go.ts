// Generates a client in Go from the OpenAPI document: one method for each operation, standard library only.
import type { Document } from '../openapi.ts'
import { clientOperations, type ClientOperation } from './operations.ts'

const HEAD = `// Package holdfast is a client of Holdfast, generated from its OpenAPI document. Go 1.21 or newer, standard library only.
//
// A body is what the document describes, as a map or a struct of your own. Numbers of an answer keep all their digits
// (json.Number). A statement as CSV is Object{"text": ...}. An idempotencyId in itemData is the idempotency key of
// the call. A call that writes has an idempotency key and is repeated with it when the connection fails, when the
// answer has Retry-After (30 seconds at most), and when a host between client and service answers 5xx in its place. A redirect is not
// followed. A refusal, and a redirect, is an *Error.
// If no attempt has a readable answer, or the context ends before, the error is *Unanswered: the call may have had its
// effect. So it is if an attempt of a call that writes has no answer, or a 5xx, and a later attempt is refused: Cause is
// the refusal. Both have the IdempotencyKey: the same call WithIdempotencyKey happens at most once. Never repeat it as a
// new call after Unanswered, or after an Error of status 5xx. After another Error no attempt of the call had an effect.
package holdfast

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const attempts = 4

const pause = 200 * time.Millisecond

// longestWait: a call whose Retry-After is longer is not repeated.
const longestWait = 30 * time.Second

// Object is a JSON object.
type Object = map[string]any

// Client calls one service with one API key.
type Client struct {
	URL    string
	APIKey string
	// ClusterID selects a cluster; empty: the first of the service.
	ClusterID string
	HTTP      *http.Client
}

// New makes a client.
func New(address, apiKey string) *Client {
	return &Client{URL: strings.TrimRight(address, "/"), APIKey: apiKey, HTTP: &http.Client{Timeout: time.Minute}}
}

// Error is a refusal by the service.
type Error struct {
	Status  int
	Problem Object
	// IdempotencyKey of a call that writes.
	IdempotencyKey string
}

// Has tells whether the refusal has a problem of this code.
func (e *Error) Has(code string) bool {
	problems, _ := e.Problem["errors"].([]any)
	for _, each := range problems {
		if problem, ok := each.(Object); ok && problem["code"] == code {
			return true
		}
	}
	return false
}

func (e *Error) Error() string {
	return fmt.Sprintf("holdfast: status %d: %v", e.Status, e.Problem["detail"])
}

// Unanswered says that the service did not answer an attempt; the call may have had its effect.
type Unanswered struct {
	IdempotencyKey string
	Cause          error
}

func (u *Unanswered) Error() string {
	return "holdfast: the service did not answer an attempt: " + u.Cause.Error()
}

// Unwrap hides a refusal: errors.As must not find an *Error below status 500 where the call may have had its effect.
func (u *Unanswered) Unwrap() error {
	if _, refused := u.Cause.(*Error); refused {
		return nil
	}
	return u.Cause
}

type keyOfContext struct{}

// WithIdempotencyKey makes the next write with this context use the key. A write with an empty key is not sent.
func WithIdempotencyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, keyOfContext{}, key)
}

func keyIn(ctx context.Context) string {
	if key, ok := ctx.Value(keyOfContext{}).(string); ok {
		return key
	}
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return hex.EncodeToString(bytes)
}

// namedIn returns the idempotencyId of a body, which is the key then.
func namedIn(data []byte) string {
	body := map[string]json.RawMessage{}
	item := map[string]json.RawMessage{}
	id := ""
	if json.Unmarshal(data, &body) != nil || json.Unmarshal(body["itemData"], &item) != nil {
		return ""
	}
	// Not a string: the service refuses it.
	_ = json.Unmarshal(item["idempotencyId"], &id)
	return id
}

func (c *Client) call(ctx context.Context, method, path string, body any, query url.Values, writes bool) (Object, error) {
	key := ""
	if writes {
		// A random key in place of an empty one would pay again at each repetition.
		if key = keyIn(ctx); key == "" {
			return nil, errors.New("holdfast: the idempotency key is empty")
		}
	}
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	header := key
	if named := namedIn(data); key != "" && named != "" {
		key, header = named, ""
	}
	parameters := url.Values{}
	for name, values := range query {
		parameters[name] = values
	}
	if c.ClusterID != "" {
		parameters.Set("chainClusterId", c.ClusterID)
	}
	address := c.URL + path
	if len(parameters) > 0 {
		address += "?" + parameters.Encode()
	}
	if _, err := http.NewRequest(method, address, nil); err != nil {
		return nil, err
	}
	mayHaveEffect := false
	for attempt := 1; ; attempt++ {
		answer, wait, err := c.once(ctx, method, address, data, header)
		if err == nil {
			return answer, nil
		}
		refusal, refused := err.(*Error)
		if refused {
			refusal.IdempotencyKey = key
		}
		mayHaveEffect = mayHaveEffect || !refused || refusal.Status >= 500
		if wait < 0 || attempt == attempts {
			// The service refuses an API key before it looks up the idempotency key.
			if refused && (refusal.Status >= 500 || key == "" || !mayHaveEffect) {
				return nil, err
			}
			return nil, &Unanswered{IdempotencyKey: key, Cause: err}
		}
		select {
		case <-ctx.Done():
			return nil, &Unanswered{IdempotencyKey: key, Cause: ctx.Err()}
		case <-time.After(wait):
		}
	}
}

// once returns how long to wait before the next attempt; negative: there is none.
func (c *Client) once(ctx context.Context, method, address string, data []byte, key string) (Object, time.Duration, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(data))
	if err != nil {
		return nil, -1, err
	}
	request.Header.Set("Authorization", "Bearer "+c.APIKey)
	if data != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	client := *c.HTTP
	// A redirect would carry the API key to another host.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(request)
	if err != nil {
		return nil, pause, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, pause, err
	}
	if response.StatusCode >= 300 && response.StatusCode < 400 {
		detail := "redirect to " + response.Header.Get("Location") + " is not followed: use that address"
		return nil, -1, &Error{Status: response.StatusCode, Problem: Object{"detail": detail}}
	}
	answer := Object{}
	if response.StatusCode < 300 && strings.HasPrefix(response.Header.Get("Content-Type"), "text/csv") {
		return Object{"text": string(text)}, -1, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	malformed := decoder.Decode(&answer)
	if response.StatusCode < 300 {
		return answer, -1, malformed
	}
	refusal := &Error{Status: response.StatusCode, Problem: answer}
	// Without a problem document, a host between client and service answered.
	isUnknown := refusal.Status >= 500 && !isDocument(answer)
	otherwise := time.Duration(-1)
	if isUnknown || (refusal.Status == http.StatusGatewayTimeout && refusal.Has("OUTCOME_UNKNOWN")) {
		otherwise = pause
	}
	wait := waitAfter(response.Header.Get("Retry-After"), otherwise)
	if isUnknown {
		return nil, wait, fmt.Errorf("status %d without a problem document", refusal.Status)
	}
	return nil, wait, refusal
}

func isDocument(answer Object) bool {
	problems, _ := answer["errors"].([]any)
	for _, each := range problems {
		problem, _ := each.(Object)
		if _, hasCode := problem["code"].(string); !hasCode {
			return false
		}
	}
	return len(problems) > 0
}

// waitAfter reads Retry-After: seconds, or an HTTP date. Negative: the call is not repeated.
func waitAfter(asked string, otherwise time.Duration) time.Duration {
	wait := otherwise
	// Out of range, it is the highest number.
	seconds, err := strconv.ParseUint(asked, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		wait = longestWait + 1
		if seconds <= uint64(longestWait/time.Second) {
			wait = time.Duration(seconds) * time.Second
		}
	} else if at, err := http.ParseTime(asked); err == nil {
		wait = time.Until(at)
		if wait < 0 {
			wait = 0
		}
	}
	if wait > longestWait {
		return -1
	}
	return wait
}
`

export function goClient(document: Document): string {
  return `${HEAD}${clientOperations(document).map(method).join('')}`
}

function method({ id, method: verb, path, pathNames, hasBody, writes, summary, description }: ClientOperation): string {
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}`
  const places = pathNames.map((each) => `${camel(each)} string`)
  const parameters = ['ctx context.Context', ...places, hasBody ? 'body any' : 'query url.Values']
  const given = [`"${verb}"`, target(path), ...(hasBody ? ['body', 'nil'] : ['nil', 'query']), String(writes)]
  return `
// ${name}: ${summary}. ${description}
func (c *Client) ${name}(${parameters.join(', ')}) (Object, error) {
	return c.call(ctx, ${given.join(', ')})
}
`
}

function target(path: string): string {
  const parts = path.split(/(\{[^}]+\})/).filter(Boolean)
  return parts
    .map((part) => (part.startsWith('{') ? `url.PathEscape(${camel(part.slice(1, -1))})` : `"${part}"`))
    .join('+')
}

function camel(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase())
}
