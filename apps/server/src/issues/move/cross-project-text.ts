import { type Reference, scanReferences } from '@stithy/core'
import type { App } from '../../app.ts'
import type { Caller } from '../../http/call.ts'
import type { IssueItem } from '../../items/item.ts'
import { resolveReferences } from '../../markdown/references/resolve-references.service.ts'
import { type ResolvedReference, referenceKey } from '../../markdown/rendering/render-context.ts'
import type { ProjectSubject } from '../../projects/project-subject.ts'

/** Rewrites a text for another place. */
export type Rewrite = (text: string) => string

/**
 * How the texts of an issue are to be written in another project, so that they still mean the same:
 * `#1` becomes `group/project#1` (catalogue: issues, 2.2). References to nothing, or to what the caller
 * cannot see, stay as they are, and so do those that mean the same there, such as a label of the group.
 * Looks all of them up at once, whatever the number of texts.
 */
export async function crossProjectRewrite(
  app: App,
  caller: Caller,
  { project }: IssueItem,
  target: ProjectSubject,
  texts: readonly string[],
): Promise<Rewrite> {
  const options = { webUrl: app.config.externalUrl }
  const scan = (text: string) => scanReferences(text, options).filter(isRelative)
  const references = texts.flatMap(scan)
  const wanted = new Map(references.map((reference) => [referenceKey(reference), reference]))
  const here = await resolveReferences({ app, caller, project }, wanted)
  const there = await resolveReferences({ app, caller, project: target }, wanted)
  const differs = (key: string) => here.has(key) && !isSame(here.get(key), there.get(key))
  return (text) => {
    let rewritten = ''
    let at = 0
    for (const reference of scan(text)) {
      if (!differs(referenceKey(reference))) continue
      rewritten += text.slice(at, reference.start) + absolute(reference, project.row)
      at = reference.end
    }
    return rewritten + text.slice(at)
  }
}

/** Whether two references mean the same label or milestone; other things are in one project alone. */
function isSame(one: ResolvedReference | undefined, other: ResolvedReference | undefined): boolean {
  if (one === undefined || other === undefined) return false
  const ids = ({ data }: ResolvedReference) => data.label ?? data.milestone
  return ids(one) !== undefined && ids(one) === ids(other)
}

type RelativeReference = Exclude<Reference, { kind: 'user' }>

/** Whether it depends on where it stands what a reference means. */
function isRelative(reference: Reference): reference is RelativeReference {
  if (reference.kind === 'user' || reference.text.includes('://')) return false
  const { kind, path } = reference
  return path === null || (kind !== 'epic' && !path.includes('/'))
}

function absolute(
  { kind, path, text }: RelativeReference,
  { fullPath, namespaceFullPath }: { fullPath: string; namespaceFullPath: string },
): string {
  if (kind === 'epic') return namespaceFullPath + text
  if (path !== null) return `${namespaceFullPath}/${text}`
  return kind === 'commit' || kind === 'commit_range' ? `${fullPath}@${text}` : fullPath + text
}
