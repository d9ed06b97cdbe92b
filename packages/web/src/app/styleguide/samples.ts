import type { AwardCount, DiffEntry, LabelEvent, Note, UserRef } from '@stithy/core'

/** A moment some hours before now, as the API writes it. */
export function hoursAgo(now: number, hours: number): string {
  return new Date(now - hours * 3_600_000).toISOString()
}

export const kim: UserRef = {
  id: 1,
  name: 'Kim Larsen',
  username: 'kim',
  state: 'active',
  avatar_url: null,
  web_url: '/kim',
}

export const noor: UserRef = {
  id: 2,
  name: 'Noor Aziz',
  username: 'noor',
  state: 'active',
  avatar_url: null,
  web_url: '/noor',
}

export const labels = {
  bug: { id: 1, name: 'bug', color: '#d9534f', description: 'Something is wrong' },
  docs: { id: 2, name: 'documentation', color: '#428bca', description: null },
} as const

interface NoteSample extends Pick<Note, 'id' | 'author' | 'body'> {
  /** Hours since it was written. */
  age: number
}

/** A comment on an issue. */
export function noteSample(now: number, { age, ...own }: NoteSample): Note {
  const at = hoursAgo(now, age)
  return {
    ...own,
    attachment: null,
    created_at: at,
    updated_at: at,
    system: false,
    noteable_id: 1,
    noteable_type: 'Issue',
    noteable_iid: 1,
    type: 'DiscussionNote',
    resolvable: false,
  }
}

export function labelEventSample(now: number, action: LabelEvent['action']): LabelEvent {
  return {
    id: 1,
    user: noor,
    created_at: hoursAgo(now, 20),
    resource_type: 'Issue',
    resource_id: 1,
    label: action === 'add' ? labels.bug : labels.docs,
    action,
  }
}

/** Reactions to a note: of the viewer too, and of others alone. */
export function awardSamples(noteId: number): AwardCount[] {
  const own = { awardable_id: noteId, awardable_type: 'Note' } as const
  return [
    { ...own, name: 'tada', unicode: '🎉', count: 3, award_id: 1 },
    { ...own, name: 'eyes', unicode: '👀', count: 1, award_id: null },
  ]
}

const unchanged: Omit<DiffEntry, 'old_path' | 'new_path'> = {
  a_mode: '100644',
  b_mode: '100644',
  new_file: false,
  renamed_file: false,
  deleted_file: false,
  too_large: false,
  collapsed: false,
  diff: '',
}

/** @param from the path before the change */
function diffEntry(path: string, own: Partial<DiffEntry> = {}, from = path): DiffEntry {
  return { ...unchanged, old_path: from, new_path: path, ...own }
}

export const changedFile = diffEntry('src/greet.ts', {
  diff: `--- a/src/greet.ts
+++ b/src/greet.ts
@@ -1,6 +1,7 @@ export function greet(name: string) {
 export function greet(name: string) {
-  return 'Hello ' + name
+  return \`Hello \${name}\`
 }
 
 export function leave() {
-  throw new Error()
+  // Nothing to do.
+  return undefined
\\ No newline at end of file
`,
})

export const beside = diffEntry('src/side.ts', { diff: changedFile.diff })

/** Files whose lines are not shown, each for another reason. */
export const linelessFiles: readonly DiffEntry[] = [
  diffEntry('assets/logo.png', {
    new_file: true,
    a_mode: '0',
    diff: 'Binary files /dev/null and b/assets/logo.png differ\n',
  }),
  diffEntry('docs/start.md', { renamed_file: true }, 'docs/begin.md'),
  diffEntry('bin/run', { b_mode: '100755' }),
  diffEntry('src/old.ts', { deleted_file: true, b_mode: '0', collapsed: true }),
  diffEntry('data/all.json', { too_large: true }),
]
