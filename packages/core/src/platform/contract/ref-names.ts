import { defaultMaxLength, type TextConstraints, type TextOptions } from './fields.ts'

/**
 * What `isBranchOrTagName` checks and what the parameters of names document: the rules of
 * `git check-ref-format`, and names that can't be confused with options or full refs.
 */

/** Maximum length of the parts between slashes, in bytes: git creates `<name>.lock`. */
export const maxRefPartBytes = 250

/** Parts between slashes, of characters that names may have. */
export const refParts =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git forbids exactly these
  /^[^\x00-\x20\x7f~^:?*[\\/]+(?:\/[^\x00-\x20\x7f~^:?*[\\/]+)*$/

/** What no name has that consists of such parts. */
export const refFaults = /\.\.|@\{|\.$|\.lock(?:\/|$)|(?:^|\/)\./

/** How no name starts, as it would be an option, a revision or a full ref. */
export const refStartFaults = /^(?:-|(?:@|HEAD)$|refs\/(?:heads|remotes)\/)/

/** The same where `refs/heads/` or `refs/tags/` may precede the name. */
const fullRefStartFaults =
  /^(?:refs\/(?:heads|tags)\/)?(?:-|(?:@|HEAD)$|refs\/remotes\/)|^refs\/(?:heads|tags)\/refs\/heads\//

/**
 * What a name is and, so that no look-ahead is needed, what it isn't. The length of a part is counted
 * in characters here, which take a byte or more.
 */
function nameRules(parts: string, startFaults: RegExp): TextConstraints {
  const pattern = parts.replaceAll('+', `{1,${maxRefPartBytes}}`)
  return { pattern, not: { pattern: `${startFaults.source}|${refFaults.source}` } }
}

const shortRules = nameRules(refParts.source, refStartFaults)
const maxLength = defaultMaxLength

/** The name of a branch or tag that is to be created. */
export const refNameText: TextOptions = { rules: { minLength: 1, maxLength, ...shortRules } }

/** The name of a branch, present or new; the schema itself refuses one that is too long. */
export const branchText: TextOptions = { rules: shortRules }

/** A branch or tag name, or its full ref: `refs/heads/main`. */
export const fullRefText: TextOptions = {
  rules: { maxLength, ...nameRules(refParts.source, fullRefStartFaults) },
}

// Wildcards are what no other name has.
const patternRules = nameRules(refParts.source.replaceAll('?*[', '?['), refStartFaults)

/** A branch or tag name in which `*` stands for any characters. */
export const refPatternText: TextOptions = { rules: { minLength: 1, maxLength, ...patternRules } }

/** The same; blank for none. */
export const optionalRefPatternText: TextOptions = {
  rules: { maxLength, ...patternRules, pattern: `^$|${patternRules.pattern}` },
}
