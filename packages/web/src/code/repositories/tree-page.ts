import { AccessLevel, type Project } from '@stithy/core'
import { changeLevel, loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { ifPermitted, isMissing } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { commitLine } from '../commits/commit-view.ts'
import { type CodeTarget, locate } from '../revisions/code-target.ts'
import { pathCrumbs } from '../revisions/path-crumbs.ts'
import { refMenu } from '../revisions/ref-menu.ts'
import { cloneMenu } from './clone-menu.ts'
import { fileTable } from './file-table.ts'
import { readmeCard } from './readme.ts'

/** Entries of a folder on a page. */
export const maxEntries = 100

/** `GET /<project>/-/tree/<ref>/<path>`: a folder. */
export async function showTree(call: PageCall): Promise<Reply> {
  const { params } = call
  const project = params.project ?? ''
  try {
    const [shown, located] = await loadAll([
      loadProject(call),
      locate(call, params.target ?? '', (target) => readFolder(call, target)),
    ])
    return await treePage(call, shown, located, located.found)
  } catch (error) {
    if (isMissing(error) && (await loadProject(call)).empty_repo === true) {
      return redirect(projectAddress(project))
    }
    const file = isMissing(error) ? await findFile(call) : undefined
    if (file === undefined) throw error
    return redirect(projectAddress(project, 'blob', file.ref, file.path))
  }
}

type Folder = Awaited<ReturnType<typeof readFolder>>

async function readFolder({ client, params, query }: PageCall, { ref, path }: CodeTarget) {
  const projectId = params.project ?? ''
  const [entries, commits] = await loadAll([
    client.repository.tree({
      ...{ projectId, ref, path, per_page: maxEntries, with_last_commits: true },
      ...pageNumber(query),
    }),
    client.commits.list({ projectId, ref_name: ref, path, per_page: 1 }),
  ])
  // The API lists nothing for a folder that isn't there.
  if (entries.items.length === 0 && path !== '' && entries.total === 0) throw missing()
  return { entries, newest: commits.items[0] }
}

/** The path may be that of a file. */
async function findFile(call: PageCall): Promise<CodeTarget | undefined> {
  const { client, params } = call
  const projectId = params.project ?? ''
  const read = async ({ ref, path }: CodeTarget) => {
    const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0))
    const { items } = await client.repository.tree({ projectId, ref, path: folder, per_page: 100 })
    if (!items.some((entry) => entry.path === path)) throw missing()
  }
  return ifPermitted(locate(call, params.target ?? '', read))
}

async function treePage(
  call: PageCall,
  project: Project,
  { ref, path }: CodeTarget,
  { entries, newest }: Folder,
): Promise<Reply> {
  const fullPath = project.path_with_namespace
  const self = projectAddress(fullPath, 'tree', ref, ...(path === '' ? [] : [path]))
  const table = fileTable({ project: fullPath, ref, path, entries: entries.items, now: call.now })
  const empty = emptyState({ title: 'No files here' })
  const name = path === '' ? ref : path
  return page({
    title: `${name} · ${fullPath}`,
    place: projectPlace(project, 'code'),
    body: html`<h1 class="hidden">${name}</h1>${toolbar(project, { ref, path })}
${card({
  isFlush: true,
  body: html`${newest && commitLine(newest, fullPath, call.now)}${entries.items.length === 0 ? empty : table}`,
})}
${pagination(entries, self, call.query)}
${await readmeCard(call, ref, entries.items)}`,
  })
}

function toolbar(project: Project, target: CodeTarget): Html {
  const fullPath = project.path_with_namespace
  const { ref, path } = target
  const below = path === '' ? [] : [path]
  const mayPush = changeLevel(project) >= AccessLevel.developer
  return html`<div class="toolbar">${refMenu({ project: fullPath, page: 'tree', ...target })}${pathCrumbs(fullPath, target)}
<div class="end">${buttonLink(projectAddress(fullPath, 'commits', ref, ...below), 'History')}${buttonLink(projectAddress(fullPath, 'find_file', ref), 'Find file')}${mayPush && html`${buttonLink(projectAddress(fullPath, 'new', ref, ...below), 'New file')}${buttonLink(projectAddress(fullPath, 'upload', ref, ...below), 'Upload')}`}${cloneMenu(project, ref)}</div></div>`
}
