/** The size of an avatar unless another one is asked for, in pixels of a common screen. */
const defaultSize = 40

/** Screens have up to this many pixels for each of those. */
const scale = 2

/**
 * The address of an avatar at Gravatar, which draws a pattern for an unknown e-mail address.
 * @param emailHash the MD5 hash of the trimmed and lower-cased e-mail address, in hexadecimal digits
 */
export function externalAvatarUrl(emailHash: string, size: number = defaultSize): string {
  return `https://secure.gravatar.com/avatar/${emailHash}?s=${size * scale}&d=identicon`
}
