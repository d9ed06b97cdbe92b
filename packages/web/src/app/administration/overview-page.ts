import type { InstanceStatistics, InstanceStorage } from '@stithy/core'
import { card } from '../../platform/design/card.ts'
import { html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { formatSize } from '../../platform/text/numbers.ts'
import { adminAddress, adminPage } from './admin-page.ts'
import { type Figure, figures } from './figures.ts'

/** `GET /admin`: counts, version and disk use. */
export async function showOverview({ client }: PageCall): Promise<Reply> {
  const [counts, storage, version, licenses] = await loadAll([
    client.application.statistics(),
    client.application.storage.show(),
    client.version.show(),
    client.licenses.list(),
  ])
  const plan = licenses[0]?.plan ?? 'community'
  const server: Figure[] = [
    ['Version', `${version.version} (${version.revision})`],
    ['License', html`<a href="${adminAddress('license')}">${plan}</a>`],
  ]
  return adminPage({
    area: 'overview',
    title: 'Administration',
    body: html`<div class="halves">
${card({ title: 'Instance', isFlush: true, body: figures('Instance', instanceFigures(counts)) })}
<div>${card({ title: 'Server', isFlush: true, body: figures('Server', server) })}
${card({ title: 'Disk use', isFlush: true, body: figures('Disk use', diskFigures(storage)) })}</div></div>`,
  })
}

function instanceFigures(counts: InstanceStatistics): Figure[] {
  return [
    [html`<a href="${adminAddress('users')}">Users</a>`, counts.users],
    [html`<a href="${adminAddress('users')}?state=active">Active users</a>`, counts.active_users],
    [html`<a href="${adminAddress('groups')}">Groups</a>`, counts.groups],
    [html`<a href="${adminAddress('projects')}">Projects</a>`, counts.projects],
    ['Forks', counts.forks],
    ['Issues', counts.issues],
    ['Merge requests', counts.merge_requests],
    ['Comments', counts.notes],
    ['Snippets', counts.snippets],
    ['Milestones', counts.milestones],
    ['SSH keys', counts.ssh_keys],
  ]
}

function diskFigures({ disk_available, disk_size, ...storage }: InstanceStorage): Figure[] {
  return [
    ['Repositories', formatSize(storage.repositories)],
    ['Wikis', formatSize(storage.wikis)],
    ['Other files of projects', formatSize(storage.files)],
    ['Free on the disk', `${formatSize(disk_available)} of ${formatSize(disk_size)}`],
  ]
}
