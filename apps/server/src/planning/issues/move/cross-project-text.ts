import { type Reference, scanReferences } from '@stithy/core'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import {
  type ResolvedReference,
  referenceKey,
} from '../../../platform/text/rendering/render-context.ts'
import type { IssueItem } from '../../items/item.ts'
import { resolveReferences } from '../../markdown/references/resolve-references.service.ts'

/** Rewrites the references of a text. */
export type Rewrite = (text: string) => string

/**
 * Creates a function that rewrites the texts of an issue for another project, so that references
 * keep their target: `#1` becomes `group/project#1`. Unchanged are references to nothing, to items
 * that the caller cannot see, and those that resolve to the same target there, such as a label of
 * the group. Resolves all references at once, regardless of the number of texts.
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
  const byKey = new Map(references.map((reference) => [referenceKey(reference), reference]))
  const inSource = await resolveReferences({ app, caller, project }, byKey)
  const inTarget = await resolveReferences({ app, caller, project: target }, byKey)
  const differs = (key: string) =>
    inSource.has(key) && !isSame(inSource.get(key), inTarget.get(key))
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

/** Whether both refer to the same label or milestone; other targets are in one project only. */
function isSame(one: ResolvedReference | undefined, other: ResolvedReference | undefined): boolean {
  if (one === undefined || other === undefined) return false
  const ids = ({ data }: ResolvedReference) => data.label ?? data.milestone
  return ids(one) !== undefined && ids(one) === ids(other)
}

type RelativeReference = Exclude<Reference, { kind: 'user' }>

/** Whether the target of a reference depends on the project of the text. */
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
