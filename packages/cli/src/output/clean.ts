// A server's response may contain terminal control sequences, or characters that reverse the text
// direction.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be found.
const controls = /[\u0000-\u001f\u007f-\u009f]/g
const directions = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const unsafeInJson = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text on one line without terminal control sequences. */
export function cleanLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(controls, '\ufffd').replace(directions, '').trim()
}

/** JSON without terminal control sequences: the value is the same, with escapes. */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? ''
  return text.replace(
    unsafeInJson,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
