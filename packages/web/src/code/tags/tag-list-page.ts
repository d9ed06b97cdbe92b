import { AccessLevel, type Project, type Tag } from '@stithy/core'
import { changeLevel, loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { badge } from '../../platform/design/badge.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { filterForm } from '../../platform/design/filter-form.ts'
import { errorSummary } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { icon } from '../../platform/design/icon.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress, withQuery } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { archiveAddress } from '../repositories/clone-menu.ts'
import { refTabs } from '../revisions/ref-tabs.ts'

/** `GET /<project>/-/tags`. */
export function showTags(call: PageCall): Promise<Reply> {
  return listPage(call, [])
}

/** `GET /<project>/-/tags/<tag>`: leads to its files. */
export async function showTag({ params }: PageCall): Promise<Reply> {
  return redirect(projectAddress(params.project ?? '', 'tree', params.tag ?? ''))
}

async function listPage(call: PageCall, formErrors: readonly FormError[]): Promise<Reply> {
  const { client, params, query } = call
  const projectId = params.project ?? ''
  const search = query.get('search') ?? ''
  const [project, tags] = await loadAll([
    loadProject(call),
    client.tags.list({ projectId, search, ...pageNumber(query) }),
  ])
  const self = projectAddress(projectId, 'tags')
  const mayPush = changeLevel(project) >= AccessLevel.developer
  const list = tags.items.map((tag) => tagRow(call, project, tag))
  const empty = emptyState({
    title: search === '' ? 'No tags yet' : 'No such tags',
    text: 'A tag names a commit for good, such as one that was released.',
  })
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `Tags · ${projectId}`,
    place: projectPlace(project, 'branches'),
    body: html`${heading('Tags', mayPush ? buttonLink(`${self}/new`, 'New tag', 'primary') : [])}${errorSummary(formErrors)}${refTabs(projectId, 'tags')}
${filterForm({ action: self, label: 'Filter tags', search: { name: 'search', value: search } })}
${card({ isFlush: true, body: list.length === 0 ? empty : rows(list) })}
${pagination(tags, self, query)}`,
  })
}

function tagRow(call: PageCall, project: Project, tag: Tag): Html {
  const path = project.path_with_namespace
  const { name, commit, message, release } = tag
  const level = changeLevel(project)
  const mayDelete = level >= (tag.protected ? AccessLevel.maintainer : AccessLevel.developer)
  const newRelease = withQuery(projectAddress(path, 'releases', 'new'), { tag_name: name })
  return row({
    start: icon('tag'),
    title: html`<a class="title" href="${projectAddress(path, 'tree', name)}">${name}</a> ${tag.protected && badge('protected', '', 'lock')}`,
    details: html`${commit !== null && html`<a class="mono" href="${projectAddress(path, 'commit', commit.id)}" aria-label="Commit ${commit.short_id}">${commit.short_id}</a><span>${timeAgo(commit.committed_date, call.now)}</span>`}<span>${firstLine(message ?? '')}</span>`,
    end: html`${
      release !== null
        ? html`<a href="${projectAddress(path, 'releases', name)}" aria-label="Release ${name}">Release</a>`
        : level >= AccessLevel.developer &&
          html`<a href="${newRelease}" aria-label="New release of ${name}">New release</a>`
    }<a href="${archiveAddress(path, name, 'tar.gz')}" aria-label="Download tar.gz of ${name}">tar.gz</a>${
      mayDelete &&
      confirmation(call, {
        action: projectAddress(path, 'tags', 'delete'),
        text: 'Delete',
        label: `Delete ${name}`,
        question: release === null ? `Delete ${name}?` : `Delete ${name} and its release?`,
        values: { tag_name: name },
      })
    }`,
  })
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

/** `POST /<project>/-/tags/delete`. */
export async function deleteTag(call: PageCall): Promise<Reply> {
  const { client, form, params } = call
  const projectId = params.project ?? ''
  const deleted = await submit(client.tags.delete({ projectId, tagName: form.text('tag_name') }))
  if (!deleted.ok) return listPage(call, deleted.formErrors)
  return redirect(projectAddress(projectId, 'tags'))
}
