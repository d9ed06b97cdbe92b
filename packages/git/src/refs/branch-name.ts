// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what git refuses
const refused = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock\/|\.lock$|\.$|\/$|^\/|^\./

/** Whether git accepts a full ref name (`refs/heads/…`). */
export function isValidRefName(ref: string): boolean {
  return ref.includes('/') && ref.isWellFormed() && !refused.test(ref)
}

/**
 * Whether a branch may have this name: what `git check-ref-format --branch` accepts, except for its
 * `@{-1}` shorthand. The name is given without `refs/heads/`.
 */
export function isValidBranchName(name: string): boolean {
  if (name === '' || name === 'HEAD' || name.startsWith('-')) return false
  return isValidRefName(`refs/heads/${name}`)
}
