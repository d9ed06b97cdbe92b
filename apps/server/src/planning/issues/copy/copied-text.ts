import { type RelativeReference, referenceKey } from '@stithy/core'
import { findLabelRefs } from '@stithy/store'
import type { GroupSubject } from '../../../directory/groups/group-subject.ts'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { webUrl } from '../../../platform/http/urls.ts'
import type { ResolvedReference } from '../../../platform/text/rendering/render-context.ts'
import { scanText } from '../../../platform/text/scan-text.ts'
import { shareUploads, uploadPath } from '../../../platform/uploads/upload-files.ts'
import type { IssueItem, ItemPlace } from '../../items/item.ts'
import { planLabels } from '../../labels/labelling.service.ts'
import { resolveReferences } from '../../markdown/references/resolve-references.service.ts'

/** Rewrites a text for the place of its copy. */
export type Rewrite = (text: string) => Promise<string>

type Resolved = ReadonlyMap<string, ResolvedReference>
type Source = Pick<IssueItem, 'project'>

/**
 * Creates a function that rewrites these texts of an issue for a copy in another project, or in the
 * group of its project, so that references keep their target: `#1` becomes `group/project#1`. Unchanged
 * are references to nothing, to what the caller cannot see, and those that mean the same there, such
 * as a label of the group. Another project gets the uploads of the texts; a group has none, so links
 * to them lead to the project. Resolves all references at once, regardless of the number of texts.
 */
export async function planRewrite(
  app: App,
  caller: Caller,
  source: Source,
  place: ItemPlace,
  texts: readonly string[],
): Promise<Rewrite> {
  const rewrite = await planReferenceRewrite(app, caller, source, place, texts)
  const { row } = source.project
  if ('group' in place) {
    const base = webUrl(app.config, row.fullPath)
    return async (text) => withUploadUrls(await rewrite(text), base)
  }
  await shareUploads(app.config, texts, { from: row.id, to: place.project.row.id })
  return rewrite
}

/** Completes links to uploads that are relative to a project: `](/uploads/…`, but not `x/uploads/…`. */
function withUploadUrls(text: string, base: string): string {
  return text.replace(uploadPath, (path, _secret, at: number) =>
    /[\w./-]/.test(text.charAt(at - 1)) ? path : base + path,
  )
}

async function planReferenceRewrite(
  app: App,
  caller: Caller,
  { project }: Source,
  place: ItemPlace,
  texts: readonly string[],
): Promise<Rewrite> {
  const options = { webUrl: app.config.externalUrl }
  const byKey = new Map<string, RelativeReference>()
  for (const text of texts) {
    const references = await scanText('relativeReferences', text, options)
    for (const reference of references) byKey.set(referenceKey(reference), reference)
  }
  const inSource = await resolveReferences({ app, caller, project }, byKey)
  const same =
    'group' in place
      ? await sameInGroup(app, caller, place.group, { references: byKey, inSource })
      : sameInBoth(inSource, await resolveReferences({ app, caller, ...place }, byKey))
  const keys = new Set([...inSource.keys()].filter((key) => !same.has(key)))
  const { fullPath, namespaceFullPath } = project.row
  const paths = { fullPath, namespaceFullPath }
  return async (text) =>
    keys.size === 0 ? text : scanText('makeReferencesAbsolute', text, { ...options, keys, paths })
}

/** The keys of the references that resolve to the same in both projects: labels and milestones. */
function sameInBoth(inSource: Resolved, inTarget: Resolved): ReadonlySet<string> {
  const idOf = (found: ResolvedReference | undefined) => found?.data.label ?? found?.data.milestone
  return new Set(
    [...inSource]
      .filter(
        ([key, found]) => idOf(found) !== undefined && idOf(found) === idOf(inTarget.get(key)),
      )
      .map(([key]) => key),
  )
}

/**
 * The keys of the references that mean the same in the group of the project: to epics and to other
 * projects of the group, and to labels and milestones of the group and of those above it. At most two
 * queries.
 */
async function sameInGroup(
  app: App,
  caller: Caller,
  group: GroupSubject,
  {
    references,
    inSource,
  }: { references: ReadonlyMap<string, RelativeReference>; inSource: Resolved },
): Promise<ReadonlySet<string>> {
  const labelIds = [...inSource.values()].flatMap(({ data: { label } }) =>
    label === undefined ? [] : [Number(label)],
  )
  const usable = await usableLabelIds(app, caller, group, labelIds)
  const isSame = (key: string, { data }: ResolvedReference): boolean => {
    const reference = references.get(key)
    if (reference?.kind === 'epic' || reference?.path !== null) return true
    if (data.label !== undefined) return usable.has(Number(data.label))
    return data.milestone !== undefined && data.group !== undefined
  }
  return new Set([...inSource].filter((entry) => isSame(...entry)).map(([key]) => key))
}

/** Those of the labels that the group can use. */
async function usableLabelIds(
  app: App,
  caller: Caller,
  group: GroupSubject,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const titles = (await findLabelRefs(app.db, ids)).map(({ title }) => title)
  return new Set((await planLabels(app, caller, { group }, titles, { create: false })).labelIds)
}
