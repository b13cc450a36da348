// Shell completion, generated from the commands themselves.
import type { Command } from 'commander'

export const SHELLS = ['bash', 'zsh'] as const

/** For each path of words, the words that may follow. */
function follows(command: Command, path = ''): [string, string[]][] {
  const options = command.options.map(({ long }) => long).filter((long) => typeof long === 'string')
  const words = [...command.commands.map((each) => each.name()), ...options, '--help']
  return [[path, words], ...command.commands.flatMap((each) => follows(each, `${path} ${each.name()}`.trim()))]
}

export function completionScript(program: Command, shell: (typeof SHELLS)[number]): string {
  const cases = follows(program).map(([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`)
  const bash = [
    '_holdfast() {',
    "  local words='' path='' word",
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do case "$word" in -*) ;; *) path="${path:+$path }$word" ;; esac; done',
    '  case "$path" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -F _holdfast holdfast',
  ]
  if (shell === 'bash') return bash.join('\n')
  return ['#compdef holdfast', 'autoload -U +X bashcompinit && bashcompinit', ...bash].join('\n')
}
