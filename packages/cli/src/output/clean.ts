// What a server sends may hold commands to a terminal, or turn the direction of the text around them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be found.
const controls = /[\u0000-\u001f\u007f-\u009f]/g
const directions = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const unsafeInJson = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text on one line that cannot steer a terminal. */
export function cleanLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(controls, '\ufffd').replace(directions, '').trim()
}

/** JSON that cannot steer a terminal: the value is the same, the spelling is escaped. */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? ''
  return text.replace(
    unsafeInJson,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
