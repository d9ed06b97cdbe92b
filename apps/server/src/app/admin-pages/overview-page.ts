import { statfs } from 'node:fs/promises'
import { countInstance, type InstanceCounts, type StorageUse, sumStorage } from '@stithy/store'
import { type Html, html } from '@stithy/web'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../platform/app.ts'
import { revision, version } from '../../platform/version.ts'
import { adminOnly, adminPath, sendAdminPage } from './admin-page.ts'
import { formatBytes, formatCount } from './formats.ts'

/** Registers the start of the administration area: counts and disk use. */
export function registerOverviewPage(server: FastifyInstance, app: App): void {
  server.get(
    adminPath,
    adminOnly(async (_request, reply, session) => {
      const [counts, storage, disk] = await Promise.all([
        countInstance(app.db),
        sumStorage(app.db),
        statfs(app.config.data),
      ])
      return sendAdminPage(reply, session, {
        path: adminPath,
        title: 'Administration',
        body: html`<section><h2>Instance</h2>${figures(instanceFigures(counts))}</section>
<section><h2>Disk use</h2>${figures(diskFigures(storage, disk))}</section>`,
      })
    }),
  )
}

type Figure = readonly [name: string, value: string]

function instanceFigures(counts: InstanceCounts): Figure[] {
  return [
    ['Version', `${version} (${revision})`],
    ['Users', formatCount(counts.users)],
    ['Active users', formatCount(counts.activeUsers)],
    ['Groups', formatCount(counts.groups)],
    ['Projects', formatCount(counts.projects)],
    ['Forks', formatCount(counts.forks)],
    ['Issues', formatCount(counts.issues)],
    ['Merge requests', formatCount(counts.mergeRequests)],
    ['Comments', formatCount(counts.notes)],
  ]
}

interface Disk {
  /** Bytes of a block. */
  bsize: number
  /** Blocks of the file system, and those that are available to the server. */
  blocks: number
  bavail: number
}

function diskFigures(storage: StorageUse, { bsize, blocks, bavail }: Disk): Figure[] {
  return [
    ['Repositories', formatBytes(storage.repositories)],
    ['Wikis', formatBytes(storage.wikis)],
    ['Other files of projects', formatBytes(storage.files)],
    ['Free on the disk', `${formatBytes(bavail * bsize)} of ${formatBytes(blocks * bsize)}`],
  ]
}

function figures(list: readonly Figure[]): Html {
  const rows = list.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td class="number">${value}</td></tr>`,
  )
  return html`<table><tbody>${rows}</tbody></table>`
}
