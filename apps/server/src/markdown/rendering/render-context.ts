import type { ReferenceTarget } from '@stithy/core'

/** Where a text stands, and how much is made of it. */
export interface RenderContext {
  /** Emoji, references, anchors of headings and highlighted code; without it plain Markdown. */
  gfm: boolean
  /** The address of the service, without a slash at its end. */
  webUrl: string
  /** Whose files relative addresses name, and whose things are named by `#1` alone. */
  project?: { fullPath: string; defaultBranch: string | null } | undefined
}

/** What a reference became for one reader. */
export interface ResolvedReference {
  /** As style sheets know it: `issue`, `project_member`. */
  kind: string
  /** As scripts know it, where that differs from the kind. */
  type?: string
  href: string
  title: string
  /** As short as the context allows: `#1`, `project#1`, `group/project#1`. */
  text: string
  /** Values of `data-` attributes by their name. */
  data: Readonly<Record<string, string | number>>
  /** Of a label, `#rrggbb`, and of the text on it. */
  colors?: { background: string; text: string }
}

/** The same text for all references that mean the same. */
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
