import { gemoji } from 'gemoji'

export interface Emoji {
  /** The canonical name, which is stored; without colons. */
  name: string
  glyph: string
  /** The description in words: `party popper`. */
  description: string
}

/** The name that v4 clients send and expect, for glyphs that have several. */
const preferred = new Set([
  ...['thumbsup', 'thumbsdown', 'fist', 'punch', 'raised_hand', 'poop', 'pencil', 'e-mail'],
  ...['bride_with_veil', 'cop', 'dancer', 'information_desk_person'],
])

/** Names of v4 clients that differ from those in the list. */
const clientNames: Record<string, string> = {
  basketball_player: 'bouncing_ball_person',
  clown: 'clown_face',
  cowboy: 'cowboy_hat_face',
  desktop: 'desktop_computer',
  face_palm: 'facepalm',
  fingers_crossed: 'crossed_fingers',
  first_place: '1st_place_medal',
  fox: 'fox_face',
  hugging: 'hugs',
  head_bandage: 'face_with_head_bandage',
  kiwi: 'kiwi_fruit',
  lion_face: 'lion',
  money_mouth: 'money_mouth_face',
  nerd: 'nerd_face',
  rolling_eyes: 'roll_eyes',
  second_place: '2nd_place_medal',
  skull_crossbones: 'skull_and_crossbones',
  slight_frown: 'slightly_frowning_face',
  slight_smile: 'slightly_smiling_face',
  spy: 'detective',
  third_place: '3rd_place_medal',
  thermometer_face: 'face_with_thermometer',
  tools: 'hammer_and_wrench',
  upside_down: 'upside_down_face',
  vulcan: 'vulcan_salute',
  zipper_mouth: 'zipper_mouth_face',
}

/** Offset from a lower-case letter to its regional indicator symbol. */
const flagLetters = 0x1f1e6 - 0x61

/** Every emoji by each of its names. */
export const emojiByName: ReadonlyMap<string, Emoji> = buildList()

function buildList(): Map<string, Emoji> {
  const found = new Map<string, Emoji>()
  for (const { emoji: glyph, names, description } of gemoji) {
    const flag = flagName(glyph)
    const known = flag === undefined ? names : [flag, ...names]
    const name = known.find((one) => preferred.has(one)) ?? known[0] ?? glyph
    const emoji = { name, glyph, description }
    for (const one of known) found.set(one, emoji)
  }
  for (const [name, listed] of Object.entries(clientNames)) {
    const emoji = found.get(listed)
    if (emoji === undefined) continue
    emoji.name = name
    found.set(name, emoji)
  }
  return found
}

/** `flag_de` for a glyph of two regional indicator symbols. */
function flagName(glyph: string): string | undefined {
  const letters = [...glyph].map((letter) => (letter.codePointAt(0) ?? 0) - flagLetters)
  if (letters.length !== 2 || letters.some((code) => code < 0x61 || code > 0x7a)) return undefined
  return `flag_${String.fromCodePoint(...letters)}`
}
