import type { ReferenceKind, ReferenceTarget } from '@stithy/core'
import type { ResolvedReference } from '../rendering/render-context.ts'
import { findCommitReferences } from './commit-references.service.ts'
import { findItemReferences } from './item-references.service.ts'
import { findLabelReferences } from './label-references.service.ts'
import { findMilestoneReferences } from './milestone-references.service.ts'
import { findNameReferences } from './name-references.service.ts'
import type { Reader, Wanted } from './reference-place.ts'

/** Projects and groups that one text may name things of; each makes the look-ups dearer. */
const maxPlaces = 50

/**
 * What the reader may see of what a text refers to, by the keys of the references; all else is left out, as
 * if it were not there. A constant number of queries for each kind, whatever the number of references.
 */
export async function resolveReferences(
  reader: Reader,
  references: Wanted<ReferenceTarget>,
): Promise<ReadonlyMap<string, ResolvedReference>> {
  const near = withFewPlaces(references)
  const found = await Promise.all([
    findItemReferences(reader, ofKinds(near, ['issue', 'merge_request', 'snippet', 'epic'])),
    findNameReferences(reader, ofKinds(near, ['user'])),
    findLabelReferences(reader, ofKinds(near, ['label'])),
    findMilestoneReferences(reader, ofKinds(near, ['milestone'])),
    findCommitReferences(reader, ofKinds(near, ['commit', 'commit_range'])),
  ])
  return new Map(found.flatMap((part) => [...part]))
}

function ofKinds<K extends ReferenceKind>(
  references: Wanted<ReferenceTarget>,
  kinds: readonly K[],
): Wanted<Extract<ReferenceTarget, { kind: K }>> {
  const chosen = [...references].filter(([, { kind }]) => kinds.includes(kind as K))
  return new Map(chosen as [string, Extract<ReferenceTarget, { kind: K }>][])
}

function withFewPlaces(references: Wanted<ReferenceTarget>): Wanted<ReferenceTarget> {
  const places = new Set<string>()
  const kept = [...references].filter(([, target]) => {
    if (target.kind === 'user' || target.path === null) return true
    if (places.size < maxPlaces) places.add(target.path)
    return places.has(target.path)
  })
  return new Map(kept)
}
