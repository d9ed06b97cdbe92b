/** Position of a reference in its text, in UTF-16 units, end exclusive. */
interface Span {
  start: number
  end: number
  /** As written. */
  text: string
}

/**
 * A reference as written (`#1`, `group/project!2`, `@name`, a full URL); its target may not exist.
 * `path` is the part before the sign: `group/project` or, relative to the text's own project,
 * `project` alone; for an epic, the group. Null without a path.
 */
export type Reference = Span &
  (
    | {
        kind: 'user'
        /** A username or the full path of a group, as written. */
        name: string
      }
    | {
        kind: 'issue' | 'merge_request' | 'snippet' | 'epic'
        path: string | null
        /** `iid`; for a snippet its id. */
        id: number
        /** For a URL of a note (`#note_12`). */
        noteId?: number
      }
    | {
        kind: 'milestone'
        path: string | null
        /** `iid` */
        id?: number
        title?: string
        /** For the URL of a milestone of the group `path`. */
        inGroup?: true
      }
    | { kind: 'label'; path: string | null; id?: number; title?: string }
    | {
        kind: 'commit'
        path: string | null
        /** 7 to 40 lower-case hex digits. */
        sha: string
      }
    | { kind: 'commit_range'; path: string | null; from: string; to: string; dots: 2 | 3 }
  )

export type ReferenceKind = Reference['kind']

/** A reference without its position. */
export type ReferenceTarget = Reference extends infer R
  ? R extends Span
    ? Omit<R, keyof Span>
    : never
  : never
