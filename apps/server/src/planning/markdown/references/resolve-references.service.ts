import type { ReferenceKind, ReferenceTarget } from '@stithy/core'
import type { ResolvedReference } from '../../../platform/text/rendering/render-context.ts'
import { findCommitReferences } from './commit-references.service.ts'
import { findItemReferences } from './item-references.service.ts'
import { findLabelReferences } from './label-references.service.ts'
import { findMilestoneReferences } from './milestone-references.service.ts'
import { findNameReferences } from './name-references.service.ts'
import type { Reader, References } from './reference-parent.ts'

/**
 * The maximum number of projects and groups whose items one text can refer to; each adds to the
 * cost of the lookups.
 */
const maxParents = 50

/**
 * Resolves the references of a text, by their keys; those to what the caller may not see are left
 * out, as if it did not exist. A constant number of queries for each kind, regardless of the number of
 * references.
 */
export async function resolveReferences(
  reader: Reader,
  references: References<ReferenceTarget>,
): Promise<ReadonlyMap<string, ResolvedReference>> {
  const limited = limitParents(references)
  const found = await Promise.all([
    findItemReferences(reader, ofKinds(limited, ['issue', 'merge_request', 'snippet', 'epic'])),
    findNameReferences(reader, ofKinds(limited, ['user'])),
    findLabelReferences(reader, ofKinds(limited, ['label'])),
    findMilestoneReferences(reader, ofKinds(limited, ['milestone'])),
    findCommitReferences(reader, ofKinds(limited, ['commit', 'commit_range'])),
  ])
  return new Map(found.flatMap((part) => [...part]))
}

function ofKinds<K extends ReferenceKind>(
  references: References<ReferenceTarget>,
  kinds: readonly K[],
): References<Extract<ReferenceTarget, { kind: K }>> {
  const chosen = [...references].filter(([, { kind }]) => kinds.includes(kind as K))
  return new Map(chosen as [string, Extract<ReferenceTarget, { kind: K }>][])
}

function limitParents(references: References<ReferenceTarget>): References<ReferenceTarget> {
  const paths = new Set<string>()
  const allowed = [...references].filter(([, target]) => {
    if (target.kind === 'user' || target.path === null) return true
    if (paths.size < maxParents) paths.add(target.path)
    return paths.has(target.path)
  })
  return new Map(allowed)
}
