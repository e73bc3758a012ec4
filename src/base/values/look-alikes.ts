/** Each expression is a literal, so that the test of regular expressions finds it. */
const PATTERNS: readonly (readonly [script: string, pattern: RegExp])[] = [
  ['Latin', /\p{Script=Latin}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Devanagari', /\p{Script=Devanagari}/u],
  ['Bengali', /\p{Script=Bengali}/u],
  ['Tamil', /\p{Script=Tamil}/u],
  ['Telugu', /\p{Script=Telugu}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Lao', /\p{Script=Lao}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  ['Hangul', /\p{Script=Hangul}/u],
  ['Ethiopic', /\p{Script=Ethiopic}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Khmer', /\p{Script=Khmer}/u],
  ['Mongolian', /\p{Script=Mongolian}/u],
  ['Hiragana', /\p{Script=Hiragana}/u],
  ['Katakana', /\p{Script=Katakana}/u],
  ['Bopomofo', /\p{Script=Bopomofo}/u],
  ['Han', /\p{Script=Han}/u],
  ['Coptic', /\p{Script=Coptic}/u],
  ['Lisu', /\p{Script=Lisu}/u],
  ['Tifinagh', /\p{Script=Tifinagh}/u],
]

/** Scripts that are written together (UTS 39, "Highly Restrictive"). */
const WRITTEN_TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

/** Letters of other scripts that look like Latin ones. */
const LIKE_LATIN: ReadonlySet<string> = new Set(
  'аеорсухіјѕһԁԛԝѵӏАВЕКМНОРСТУХІЈЅҮԌԚԜӀ' +
    'ονρυαικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ' +
    'օսհոցԼՕՍ' +
    'ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏎᏒᏔᏙᏚᏞᏟᏢᏦᏴ',
)

/** Phonetic letters and small capitals, which look like ordinary Latin ones. */
const ODD_LATIN = /[\u0250-\u02af\u1d00-\u1dbf\ua730-\ua7ff]/u

/**
 * Why a name may be mistaken for another one, as a hint for the operator, or undefined: it mixes
 * scripts that are not written together, or has letters that look like Latin ones (after UTS 39).
 */
export function lookAlikeWarning(name: string): string | undefined {
  const scripts = PATTERNS.filter(([, pattern]) => pattern.test(name)).map(([script]) => script)
  const isMixed =
    scripts.length > 1 &&
    !WRITTEN_TOGETHER.some((together) => scripts.every((script) => together.includes(script)))
  if (isMixed) {
    return `mixes letters of ${scripts.slice(0, -1).join(', ')} and ${scripts.at(-1)}`
  }
  const letters = [...name].filter((character) => /\p{L}/u.test(character))
  if (letters.length > 0 && letters.every((letter) => LIKE_LATIN.has(letter))) {
    return `looks like Latin letters, but is written in ${scripts[0]}`
  }
  const odd = letters.find((letter) => ODD_LATIN.test(letter))
  return odd === undefined ? undefined : `has the letter ${odd}, which looks like another one`
}
