import { scanReferences } from './reference.rules.ts'
import type { Reference } from './reference.schema.ts'
import { referenceKey } from './reference-key.rules.ts'

/** A reference whose target depends on the project of its text. */
export type RelativeReference = Exclude<Reference, { kind: 'user' }>

/** The paths of the project of a text and of its namespace. */
export interface TextPaths {
  fullPath: string
  namespaceFullPath: string
}

/** The references of a text that depend on its project; one for each target. Linear time. */
export function relativeReferences(
  text: string,
  options: { webUrl?: string },
): RelativeReference[] {
  const byKey = new Map<string, RelativeReference>()
  for (const reference of scanReferences(text, options)) {
    if (isRelative(reference)) byKey.set(referenceKey(reference), reference)
  }
  return [...byKey.values()]
}

/**
 * Makes references of a text independent of its project: `#1` becomes `group/project#1`.
 * @param keys those to change, by `referenceKey`
 */
export function makeReferencesAbsolute(
  text: string,
  options: { webUrl?: string; keys: ReadonlySet<string>; paths: TextPaths },
): string {
  const pieces: string[] = []
  let at = 0
  for (const reference of scanReferences(text, options)) {
    if (!isRelative(reference) || !options.keys.has(referenceKey(reference))) continue
    pieces.push(text.slice(at, reference.start), absolute(reference, options.paths))
    at = reference.end
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}

function isRelative(reference: Reference): reference is RelativeReference {
  if (reference.kind === 'user' || reference.text.includes('://')) return false
  const { kind, path } = reference
  return path === null || (kind !== 'epic' && !path.includes('/'))
}

function absolute(
  { kind, path, text }: RelativeReference,
  { fullPath, namespaceFullPath }: TextPaths,
): string {
  if (kind === 'epic') return namespaceFullPath + text
  if (path !== null) return `${namespaceFullPath}/${text}`
  return kind === 'commit' || kind === 'commit_range' ? `${fullPath}@${text}` : fullPath + text
}
