// Visual skeleton of an id: two ids with the same skeleton look alike or differ only in case. Follows UTS 39 for the
// scripts whose letters are drawn like Latin ones.

/** Cyrillic, Greek, Armenian and a few Latin lowercase letters, mapped to the Latin letters they resemble. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  α: 'a',
  ɑ: 'a',
  ƅ: 'b',
  β: 'b',
  в: 'b',
  ь: 'b',
  с: 'c',
  ϲ: 'c',
  ԁ: 'd',
  ɗ: 'd',
  е: 'e',
  ё: 'ë',
  ε: 'e',
  ҽ: 'e',
  ƒ: 'f',
  ɡ: 'g',
  ց: 'g',
  һ: 'h',
  н: 'h',
  η: 'h',
  հ: 'h',
  і: 'i',
  ι: 'i',
  ı: 'i',
  ї: 'ï',
  ј: 'j',
  ʝ: 'j',
  к: 'k',
  κ: 'k',
  ӏ: 'l',
  ǀ: 'l',
  м: 'm',
  μ: 'm',
  ո: 'n',
  ν: 'v',
  п: 'n',
  о: 'o',
  ο: 'o',
  ө: 'o',
  օ: 'o',
  ø: 'o',
  р: 'p',
  ρ: 'p',
  þ: 'p',
  ԛ: 'q',
  զ: 'q',
  г: 'r',
  ѕ: 's',
  ꜱ: 's',
  т: 't',
  τ: 't',
  υ: 'u',
  ս: 'u',
  ѵ: 'v',
  ԝ: 'w',
  ѡ: 'w',
  ω: 'w',
  х: 'x',
  χ: 'x',
  у: 'y',
  γ: 'y',
  ү: 'y',
  ʏ: 'y',
  ζ: 'z',
  ᴢ: 'z',
}
/** Capitals that resemble another Latin letter than their lowercase forms. */
const CAPITALS: Readonly<Record<string, string>> = { Ν: 'n', Υ: 'y' }
const IGNORED = /\p{Default_Ignorable_Code_Point}|\p{Cc}|\p{Cf}/gu
const DASHES = /\p{Pd}|\u2212/gu

export function skeletonOf(id: string): string {
  const letters = id.normalize('NFKC').replace(/[ΝΥ]/gu, (letter) => CAPITALS[letter] ?? letter)
  const folded = letters.toUpperCase().toLowerCase().normalize('NFKC').replace(IGNORED, '')
  const plain = Array.from(folded, (letter) => LOOKALIKES[letter] ?? letter).join('')
  return plain.replace(DASHES, '-').replace(/\s+/gu, ' ').trim()
}
