import { type Html, html } from './html.ts'

/**
 * What is coloured of a text: each named group of `tokens` is a kind, and a `word` is of the kind
 * that `words` gives it, or of none. Strings may lack their end, so that nothing is read twice.
 */
type Grammar = { tokens: RegExp; words?: ReadonlyMap<string, 'key' | 'literal'> }

const SCRIPT: Grammar = {
  tokens:
    /(?<comment>\/\/.*)|(?<string>(["'])(?:(?!\3)[^\\\n]|\\.)*\3?|`(?:[^`\\]|\\[\s\S])*`?|\/\[[^\]\n]{1,40}\]\/g?)|(?<word>[A-Za-z_]\w*)|(?<literal>\d[\w.]*)/g,
  words: wordsOf(
    'as async await break case catch class const continue default else export extends finally for ' +
      'from function if import in interface let new of return switch throw try type typeof while',
    'true false null undefined',
  ),
}

const PYTHON: Grammar = {
  tokens:
    /(?<comment>#.*)|(?<string>(["'])(?:(?!\3)[^\\\n]|\\.)*\3?)|(?<word>[A-Za-z_]\w*)|(?<literal>\d[\w.]*)/g,
  words: wordsOf(
    'and as assert def elif else except for from global if import in is lambda not or pass raise return try while with yield',
    'True False None',
  ),
}

const SQL: Grammar = {
  tokens: /(?<comment>--.*)|(?<string>'[^']*'?)|(?<word>[A-Za-z_]\w*)|(?<literal>\d[\d.]*)/g,
  words: wordsOf(
    'ALTER AND AS BY CREATE DATABASE DELETE FROM GRANT IN INSERT INTO ON OR ORDER OWNER ROLE SELECT SET TABLE TO UPDATE VALUES WHERE WITH',
    'FALSE NULL TRUE',
  ),
}

const YAML: Grammar = {
  tokens:
    /(?<comment>(?:^|\s)#.*)|(?<key>[\w.-]+(?=:(?:\s|$)))|(?<string>"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?)/gm,
}

const HTTP: Grammar = { tokens: /(?<literal>^[A-Z]+(?=[ /]))|(?<key>^[\w-]+(?=:))/gm }

const INI: Grammar = { tokens: /(?<comment>^[#;].*)|(?<literal>^\[.*)|(?<key>^\w+(?==))/gm }

const SHELL: Grammar = {
  tokens: /(?<comment>(?:^|\s)#.*)|(?<string>"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?)|(?<key>^\w+(?==))/gm,
}

function wordsOf(keys: string, literals: string): NonNullable<Grammar['words']> {
  return new Map([
    ...keys.split(' ').map((word) => [word, 'key'] as const),
    ...literals.split(' ').map((word) => [word, 'literal'] as const),
  ])
}

type Language = { label: string; markup: (code: string) => Html }

/** By the names that languages have in Markdown. */
const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  ['sh', { label: 'Shell', markup: shellMarkup }],
  ['console', { label: 'Terminal', markup: shellMarkup }],
  ['json', { label: 'JSON', markup: jsonMarkup }],
  ['js', { label: 'JavaScript', markup: (code) => coloured(code, SCRIPT) }],
  ['ts', { label: 'TypeScript', markup: (code) => coloured(code, SCRIPT) }],
  ['python', { label: 'Python', markup: (code) => coloured(code, PYTHON) }],
  ['yaml', { label: 'YAML', markup: (code) => coloured(code, YAML) }],
  ['http', { label: 'HTTP', markup: (code) => coloured(code, HTTP) }],
  ['ini', { label: 'Settings', markup: (code) => coloured(code, INI) }],
  ['sql', { label: 'SQL', markup: (code) => coloured(code, SQL) }],
])

/** Languages of files that commands write, by the word that ends the file. */
const FILES: ReadonlyMap<string, (code: string) => Html> = new Map([
  ['JSON', jsonMarkup],
  ['JS', (code: string) => coloured(code, SCRIPT)],
  ['PY', (code: string) => coloured(code, PYTHON)],
])

/** What readers call the language of a block of code. */
export function languageLabel(name: string): string {
  return LANGUAGES.get(name)?.label ?? 'Text'
}

/** A block of code in its colours; of a language that is not known, as it stands. */
export function codeMarkup(name: string, code: string): Html {
  return LANGUAGES.get(name)?.markup(code) ?? html`${code}`
}

/** Commands, with the JSON that they send and the files that they write. */
export function shellMarkup(code: string): Html {
  const parts: Html[] = []
  let commands = ''
  const lines = code.split(/(?<=\n)/)
  for (let at = 0; at < lines.length; ) {
    const line = lines[at++] ?? ''
    commands += line
    const [, word = ''] = /<<'(\w{1,20})'/.exec(line) ?? []
    const markup = FILES.get(word)
    if (markup === undefined) continue
    let file = ''
    while (at < lines.length && lines[at]?.trimEnd() !== word) file += lines[at++]
    parts.push(coloured(commands, SHELL), markup(file))
    commands = ''
  }
  return html`${parts}${coloured(commands, SHELL)}`
}

function coloured(code: string, { tokens, words }: Grammar): Html {
  const parts: (Html | string)[] = []
  let end = 0
  for (const { 0: token, index, groups = {} } of code.matchAll(tokens)) {
    const group = Object.keys(groups).find((name) => groups[name] !== undefined)
    const kind = group === 'word' ? words?.get(token) : group
    if (kind === undefined) continue
    const isJson = /^'[[{]/.test(token)
    parts.push(code.slice(end, index))
    parts.push(isJson ? jsonMarkup(token) : html`<span class="tok-${kind}">${token}</span>`)
    end = index + token.length
  }
  return html`${parts}${code.slice(end)}`
}

/** Strings with the colon that makes them keys, numbers and words. */
const JSON_TOKENS = /("(?:[^"\\]|\\.)*"?)(\s*:)?|-?\d[\d.eE+-]*|[a-z]+/g
const LITERALS = new Set(['true', 'false', 'null'])

/** Text with its JSON coloured; what is not JSON in it stays as it is. */
export function jsonMarkup(text: string): Html {
  const parts: (Html | string)[] = []
  let end = 0
  for (const match of text.matchAll(JSON_TOKENS)) {
    const [whole, string, colon] = match
    if (/^[a-z]/.test(whole) && !LITERALS.has(whole)) continue
    parts.push(text.slice(end, match.index))
    const kind = string === undefined ? 'literal' : colon === undefined ? 'string' : 'key'
    parts.push(html`<span class="tok-${kind}">${string ?? whole}</span>${colon ?? ''}`)
    end = match.index + whole.length
  }
  return html`${parts}${text.slice(end)}`
}
