/**
 * What the search index of SQLite has of a text, and how it is searched. Everything works on the
 * code units of texts that are in lower case already. Two texts may have the same grams, so what is
 * found may not contain what was searched.
 */

/** More trigrams hardly exclude more, and each is read from the index. */
const maxTrigrams = 64
/** A long text has enough in its start that others don't have. */
const maxSearchedUnits = 256
/** The code units of the longest parts of a signature. */
const gramLength = 6
const minSignatureBits = 64

/** Trigrams of code units below 128 are remembered by the last text that had them. */
const asciiTrigrams = new Uint32Array(1 << 21)
let textNumber = 0

/**
 * The different trigrams of a text as words, with a blank before each: letters and digits are
 * themselves, and others are characters that the tokenizer `ascii` takes for letters.
 */
export function trigramWords(text: string): string {
  textNumber = (textNumber + 1) % 2 ** 32
  if (textNumber === 0) asciiTrigrams.fill(0)
  const others = new Set<string>()
  let words = ''
  let first = text.charCodeAt(0)
  let second = text.charCodeAt(1)
  for (let at = 2; at < text.length; at += 1) {
    const third = text.charCodeAt(at)
    if ((first | second | third) < 128) {
      const key = (first << 14) | (second << 7) | third
      if (asciiTrigrams[key] !== textNumber) {
        asciiTrigrams[key] = textNumber
        words += ` ${asciiLetters[first]}${asciiLetters[second]}${asciiLetters[third]}`
      }
    } else {
      others.add(letterOf(first) + letterOf(second) + letterOf(third))
    }
    first = second
    second = third
  }
  for (const word of others) words += ` ${word}`
  return words
}

/**
 * The full-text query for texts that have all trigrams of `text`, or up to 64 of them at even
 * distances; undefined if it has less than three code units.
 */
export function trigramQuery(text: string): string | undefined {
  const count = text.length - 2
  if (count < 1) return undefined
  const step = Math.max(1, Math.ceil(count / maxTrigrams))
  const words = new Set<string>()
  for (let at = 0; at < count; at += step) words.add(trigramWords(text.slice(at, at + 3)).slice(1))
  return [...words].map((word) => `"${word}"`).join(' AND ')
}

/** The letter that stands for a code unit. */
function letterOf(unit: number): string {
  if (unit >= 128) return String.fromCharCode(0x100 + (unit & 0x3fff))
  const isLetterOrDigit = (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57)
  return String.fromCharCode(isLetterOrDigit ? unit : 0x80 + unit)
}

const asciiLetters = Array.from({ length: 128 }, (_, unit) => letterOf(unit))

/**
 * A Bloom filter of the parts of a text of one, two and six code units, with 1.5 to 3 bits for
 * each code unit. It knows what trigrams don't: which of them come after one another.
 */
export function signatureOf(text: string): Buffer {
  const bits = Math.max(minSignatureBits, 2 ** Math.ceil(Math.log2(1.5 * text.length + 1)))
  const signature = Buffer.alloc(bits / 8)
  const mask = bits - 1
  const add = (hash: number) => {
    const bit = hash & mask
    signature[bit >>> 3] = (signature[bit >>> 3] ?? 0) | (1 << (bit & 7))
  }
  const known = new Uint8Array(1 << 14)
  let before = 0
  let gram = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    const pair = (before << 7) | unit
    if (at === 0 || (before | unit) >= 128 || known[pair] === 0) {
      addShort(add, unit)
      if (at > 0) addShort(add, pairOf(before, unit))
      if (at > 0 && (before | unit) < 128) known[pair] = 1
    }
    gram = nextGram(gram, unit, at < gramLength ? 0 : text.charCodeAt(at - gramLength))
    if (at >= gramLength - 1) add(mix(gram))
    before = unit
  }
  return signature
}

/** Whether a text with this signature may contain another. */
export function mayContain(signature: Uint8Array, text: string): boolean {
  const mask = 8 * signature.length - 1
  for (const hash of searchedHashes(text)) {
    const bit = hash & mask
    if (((signature[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false
  }
  return true
}

/** Many signatures are compared with the same text. */
let searched: { text: string; hashes: Uint32Array } = { text: '', hashes: new Uint32Array() }

function searchedHashes(text: string): Uint32Array {
  if (searched.text !== text) searched = { text, hashes: new Uint32Array(hashesOf(text)) }
  return searched.hashes
}

/** Of the longest parts that the text has: whoever has them has the others. */
function hashesOf(text: string): Set<number> {
  const hashes = new Set<number>()
  const add = (hash: number) => hashes.add(hash)
  const length = Math.min(text.length, maxSearchedUnits)
  if (length === 1) addShort(add, text.charCodeAt(0))
  if (length < gramLength) {
    for (let at = 1; at < length; at += 1) {
      addShort(add, pairOf(text.charCodeAt(at - 1), text.charCodeAt(at)))
    }
    return hashes
  }
  let gram = 0
  for (let at = 0; at < length; at += 1) {
    const left = at < gramLength ? 0 : text.charCodeAt(at - gramLength)
    gram = nextGram(gram, text.charCodeAt(at), left)
    if (at >= gramLength - 1) hashes.add(mix(gram))
  }
  return hashes
}

/** There are few short parts, and each has two bits. */
function addShort(add: (hash: number) => void, part: number): void {
  const hash = mix(part + 1)
  add(hash)
  add(hash >>> 8)
}

function pairOf(before: number, unit: number): number {
  return (before + 1) * 0x10000 + unit
}

/** A hash of the last units: of those before, one is added and one, 0 at the start, is left out. */
function nextGram(gram: number, unit: number, left: number): number {
  return (Math.imul(gram, multiplier) + unit - Math.imul(left, leftMultiplier)) | 0
}

const multiplier = 0x01000193
const leftMultiplier = Array.from({ length: gramLength }).reduce<number>(
  (product) => Math.imul(product, multiplier),
  1,
)

/** Spreads a hash over all bits. */
function mix(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad)
  const again = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return (again ^ (again >>> 15)) >>> 0
}
