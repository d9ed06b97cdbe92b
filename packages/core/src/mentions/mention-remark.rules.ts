/** An item that names another one. */
export interface MentionSource {
  type: 'issue' | 'merge_request' | 'commit' | 'epic' | 'snippet'
  /** `iid`, the id of a snippet, or the hash of a commit. */
  id: number | string
  /** Full path of the project or, of an epic, of the group; null where that of the target is the same. */
  path: string | null
}

const signs = { issue: '#', merge_request: '!', commit: '@', epic: '&', snippet: '$' } as const

/**
 * What is remarked on an item that another one names, to the letter: `mentioned in issue #2`, `mentioned in
 * commit group/project@<hash>` (catalogue: issues, 4).
 */
export function mentionRemark({ type, id, path }: MentionSource): string {
  const bare = type === 'commit' && path === null
  const reference = bare ? `${id}` : `${path ?? ''}${signs[type]}${id}`
  return `mentioned in ${type.replace('_', ' ')} ${reference}`
}
