import type { Reference, ReferenceTarget } from './reference.schema.ts'

/** A reference to an item that can be mentioned. */
export type ItemReference = Extract<
  Reference,
  { kind: 'issue' | 'merge_request' | 'snippet' | 'epic' }
>

export function isItemReference(reference: Reference): reference is ItemReference {
  return ['issue', 'merge_request', 'snippet', 'epic'].includes(reference.kind)
}

/** A key that is equal for references to the same target. */
export function referenceKey(target: ReferenceTarget): string {
  const { kind } = target
  if (kind === 'user') return `user ${target.name.toLowerCase()}`
  const path = target.path?.toLowerCase() ?? ''
  switch (kind) {
    case 'label':
    case 'milestone': {
      const group = kind === 'milestone' && target.inGroup ? ' group' : ''
      return `${kind}${group} ${path} ${target.id ?? ''} ${target.title ?? ''}`
    }
    case 'commit':
      return `commit ${path} ${target.sha}`
    case 'commit_range':
      return `commit_range ${path} ${target.from} ${target.dots} ${target.to}`
    default:
      return `${kind} ${path} ${target.id} ${target.noteId ?? ''}`
  }
}
