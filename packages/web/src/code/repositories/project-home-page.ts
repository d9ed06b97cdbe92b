import { AccessLevel, type Commit, type Project, type TreeEntry } from '@stithy/core'
import { changeLevel, loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { hasStarred, starButton } from '../../directory/projects/project-star.ts'
import { squareAvatar } from '../../platform/design/avatar.ts'
import { badge } from '../../platform/design/badge.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { asideSection, card, columns, emptyState } from '../../platform/design/card.ts'
import { icon } from '../../platform/design/icon.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { ifPermitted } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { plural } from '../../platform/text/numbers.ts'
import { commitLine } from '../commits/commit-view.ts'
import { refMenu } from '../revisions/ref-menu.ts'
import { cloneMenu, pushCommands } from './clone-menu.ts'
import { fileTable } from './file-table.ts'
import { languageBar } from './languages.ts'
import { readmeCard } from './readme.ts'
import { maxEntries } from './tree-page.ts'

/** `GET /<project>`: what it is, its files and its README. */
export async function showHome(call: PageCall): Promise<Reply> {
  const { client, params } = call
  const projectId = params.project ?? ''
  const one = { projectId, per_page: 1 }
  const [project, entries, ...facts] = await loadAll([
    loadProject(call),
    ifPermitted(
      client.repository.tree({ projectId, per_page: maxEntries, with_last_commits: true }),
    ),
    ifPermitted(client.commits.list(one)),
    ifPermitted(client.branches.list(one)),
    ifPermitted(client.tags.list(one)),
    ifPermitted(client.releases.list(one)),
    ifPermitted(client.projects.languages({ projectId })),
  ])
  const [commits, branches, tags, releases, languages] = facts
  const counts = { commits, branches, tags, releases }
  const files = entries?.items ?? []
  const ref = project.default_branch ?? undefined
  const [readme, starred] = await loadAll([
    ref === undefined ? undefined : readmeCard(call, ref, files),
    hasStarred(call, project),
  ])
  const main =
    ref === undefined || files.length === 0
      ? nothingYet(project)
      : html`${codeCard(call, project, ref, files, commits?.items[0])}${readme}`
  return page({
    title: project.path_with_namespace,
    place: projectPlace(project, 'code'),
    body: html`${projectHeading(call, project, starred)}
${columns(main, aside(project, files, counts, languages ?? {}))}`,
  })
}

function projectHeading(call: PageCall, project: Project, isStarred: boolean): Html {
  const path = project.path_with_namespace
  const topics = project.tag_list.map((topic) => badge(topic))
  const forks = buttonLink(
    projectAddress(path, 'forks'),
    html`${icon('repo-forked')}Forks ${project.forks_count}`,
  )
  const from = project.forked_from_project
  return html`<div class="heading">${squareAvatar(project, 'large')}<div><h1 dir="auto">${project.name}</h1>${from !== undefined && html`<p class="muted small">Forked from <a href="${projectAddress(from.path_with_namespace)}">${from.path_with_namespace}</a></p>`}</div><div class="end">${topics}${starButton(call, project, isStarred)}${forks}</div></div>
${project.description && html`<p>${project.description}</p>`}`
}

function codeCard(
  call: PageCall,
  project: Project,
  ref: string,
  entries: readonly TreeEntry[],
  newest: Commit | undefined,
): Html {
  const path = project.path_with_namespace
  const mayPush = changeLevel(project) >= AccessLevel.developer
  return html`<div class="toolbar">${refMenu({ project: path, page: 'tree', ref, path: '' })}
<div class="end">${buttonLink(projectAddress(path, 'find_file', ref), 'Find file')}${mayPush && buttonLink(projectAddress(path, 'new', ref), 'New file')}${cloneMenu(project, ref)}</div></div>
${card({
  isFlush: true,
  body: html`${newest && commitLine(newest, path, call.now)}${fileTable({ project: path, ref, path: '', entries, now: call.now })}`,
})}
${entries.length === maxEntries && html`<p><a href="${projectAddress(path, 'tree', ref)}?page=2">More files</a></p>`}`
}

/** Who may not read the code sees no more than its description. */
function nothingYet(project: Project): Html {
  if (project.default_branch === undefined) {
    return card({ body: emptyState({ title: 'The code is not public' }) })
  }
  const branch = project.default_branch ?? 'main'
  const path = project.path_with_namespace
  const { fresh, existing } = pushCommands(project, branch)
  const action =
    changeLevel(project) >= AccessLevel.developer
      ? html`${buttonLink(projectAddress(path, 'new', branch), 'New file')} ${buttonLink(projectAddress(path, 'upload', branch), 'Upload')}`
      : undefined
  return html`${card({ body: emptyState({ title: 'The repository is empty', text: 'Start with a new one:', commands: fresh, action }) })}
${card({ body: emptyState({ title: 'Or push one that exists', commands: existing }) })}`
}

type Total = { total: number | null; items: readonly unknown[] } | undefined

interface Counts {
  commits: Total
  branches: Total
  tags: Total
  releases: Total
}

function aside(
  project: Project,
  entries: readonly TreeEntry[],
  counts: Counts,
  languages: Readonly<Record<string, number>>,
): Html {
  const bar = languageBar(languages)
  const license = entries.find(({ name, type }) => type === 'blob' && licenseName.test(name))
  return html`${asideSection('Repository', facts(project, counts, license))}
${bar !== undefined && asideSection('Languages', bar)}
${project.default_branch == null ? undefined : asideSection('More', moreLinks(project, project.default_branch))}`
}

const licenseName = /^(?:licen[sc]e|copying)(?:\.(?:md|txt|rst))?$/i

function facts(
  { path_with_namespace: path, default_branch: ref }: Project,
  { commits, branches, tags, releases }: Counts,
  license: TreeEntry | undefined,
): Html {
  const fact = (name: Parameters<typeof icon>[0], text: string, ...segments: string[]) =>
    html`<li><a href="${projectAddress(path, ...segments)}">${icon(name)}${text}</a></li>`
  const count = (of: Total) => of?.total ?? of?.items.length ?? 0
  // A long history is counted after its first page was shown.
  const isCounted = commits === undefined || commits.total !== null
  return html`<ul class="facts">
${fact('git-commit', isCounted ? plural(count(commits), 'commit') : 'Commits', 'commits', ...(ref ? [ref] : []))}
${fact('git-branch', plural(count(branches), 'branch', 'branches'), 'branches')}
${fact('tag', plural(count(tags), 'tag'), 'tags')}
${fact('rocket', plural(count(releases), 'release'), 'releases')}
${license !== undefined && fact('law', license.name, 'blob', ref ?? 'HEAD', license.path)}</ul>`
}

function moreLinks({ path_with_namespace: path }: Project, ref: string): Html {
  return html`<ul class="facts">
<li><a href="${projectAddress(path, 'graphs', ref)}">${icon('people')}Contributors</a></li>
<li><a href="${projectAddress(path, 'network', ref)}">${icon('git-merge')}Graph of commits</a></li>
<li><a href="${projectAddress(path, 'compare')}">${icon('git-compare')}Compare</a></li></ul>`
}
