import { type Reference, scanReferences } from '@stithy/core'
import type { App } from '../../app.ts'
import type { Caller } from '../../http/call.ts'
import type { IssueItem } from '../../items/item.ts'
import { resolveReferences } from '../../markdown/references/resolve-references.service.ts'
import { referenceKey } from '../../markdown/rendering/render-context.ts'

/** Rewrites a text for another place. */
export type Rewrite = (text: string) => string

/**
 * How the texts of an issue are to be written in another project, so that they still mean the same:
 * `#1` becomes `group/project#1` (catalogue: issues, 2.2). References to nothing, or to what the caller
 * cannot see, stay as they are. Looks all of them up at once, whatever the number of texts.
 */
export async function crossProjectRewrite(
  app: App,
  caller: Caller,
  { project }: IssueItem,
  texts: readonly string[],
): Promise<Rewrite> {
  const options = { webUrl: app.config.externalUrl }
  const scan = (text: string) => scanReferences(text, options).filter(isRelative)
  const references = texts.flatMap(scan)
  const wanted = new Map(references.map((reference) => [referenceKey(reference), reference]))
  const real = await resolveReferences({ app, caller, project }, wanted)
  return (text) => {
    let rewritten = ''
    let at = 0
    for (const reference of scan(text)) {
      if (!real.has(referenceKey(reference))) continue
      rewritten += text.slice(at, reference.start) + absolute(reference, project.row)
      at = reference.end
    }
    return rewritten + text.slice(at)
  }
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
