/**
 * The keys by which texts are found. They are made of the code units of texts that are in lower case
 * already. Two texts may have the same keys, so what is found may not contain what was searched.
 */

/** Keys of trigrams are below it, those of signatures from there on. */
export const firstSignatureKey = 2 ** 24
/** How many keys signatures have: the bits of each. */
export const signatureBits = 2 ** 14
/** All keys are below it. */
export const keyLimit = 2 ** 25

/** The code units of a part of a text that a signature has. */
export const gramUnits = 6
/** The code units of a text that are looked up in signatures: more hardly exclude more. */
export const maxSignedUnits = 256
/** More keys hardly exclude more, and each is read from the index. */
const maxTrigrams = 64
const maxTrigramsBesideGrams = 12
const maxGrams = 20

/**
 * A code unit as one of 256 symbols: those below 128 are themselves, and others share the symbols
 * from 128 on, so that neighbours in an alphabet differ.
 */
function symbolOf(unit: number): number {
  return unit < 128 ? unit : 128 | ((unit ^ (unit >>> 7)) & 127)
}

/** The symbols of all code units. */
export const symbols = Uint8Array.from({ length: 2 ** 16 }, (_, unit) => symbolOf(unit))

/**
 * The key of three symbols; 0 stands for the end of a text, so each symbol of a text starts a
 * trigram. Trigrams with the same start have keys side by side.
 */
function trigramKey(first: number, second: number, third: number): number {
  return (first << 16) | (second << 8) | third
}

/** A hash of the last code units: of those before, one is added and one, 0 at first, is left out. */
export function nextGram(gram: number, unit: number, left: number): number {
  return (Math.imul(gram, multiplier) + unit - Math.imul(left, leftMultiplier)) | 0
}

const multiplier = 0x01000193
const leftMultiplier = Array.from({ length: gramUnits }).reduce<number>(
  (product) => Math.imul(product, multiplier),
  1,
)

/** The bit of a signature that stands for the hash of six code units. */
export function signatureBit(gram: number): number {
  return Math.imul(gram ^ (gram >>> 15), 0x2c1b3c6d) >>> 18
}

/** A range of keys: a text that is found has one of them. */
export interface KeyRange {
  from: number
  to: number
}

/**
 * The keys that each text has that contains `text`: all ranges must be met, and a list of several
 * has single keys alone. With `isSigned`, those of signatures are among them.
 */
export function searchedKeys(text: string, isSigned: boolean): KeyRange[] {
  const at = (position: number) => symbolOf(text.charCodeAt(position))
  if (text.length === 0) return [{ from: 0, to: firstSignatureKey - 1 }]
  if (text.length === 1) {
    return [{ from: trigramKey(at(0), 0, 0), to: trigramKey(at(0), 255, 255) }]
  }
  if (text.length === 2) {
    return [{ from: trigramKey(at(0), at(1), 0), to: trigramKey(at(0), at(1), 255) }]
  }
  const grams = isSigned ? gramKeys(text) : []
  const count = grams.length === 0 ? maxTrigrams : maxTrigramsBesideGrams
  const trigrams = spread(text.length - 2, count).map((position) =>
    trigramKey(at(position), at(position + 1), at(position + 2)),
  )
  return [...new Set([...trigrams, ...grams])].map((key) => ({ from: key, to: key }))
}

function gramKeys(text: string): number[] {
  const length = Math.min(text.length, maxSignedUnits)
  return spread(length - gramUnits + 1, maxGrams).map((position) => {
    let gram = 0
    for (let unit = 0; unit < gramUnits; unit += 1) {
      gram = nextGram(gram, text.charCodeAt(position + unit), 0)
    }
    return firstSignatureKey + signatureBit(gram)
  })
}

/** Up to `most` of the numbers below `count`, at even distances. */
function spread(count: number, most: number): number[] {
  const length = Math.min(Math.max(count, 0), most)
  return Array.from({ length }, (_, number) => Math.floor((number * count) / length))
}
