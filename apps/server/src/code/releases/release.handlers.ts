import { decideOnProject, type Release, type releasesContract } from '@stithy/core'
import { listReleases, type ReleaseRow } from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller, Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { presentRelease, presentReleases } from './release.presenter.ts'
import { changeRelease, createRelease, removeRelease, requireRelease } from './release.service.ts'
import { type ShownDescriptions, viewRelease, viewReleases } from './release-view.service.ts'

function presentation(app: App, caller: Caller, { row, facts }: ProjectSubject) {
  const canReadCode = decideOnProject('read_code', caller.facts, facts).allowed
  return { config: app.config, project: row, canReadCode }
}

interface ReleaseViewer {
  app: App
  caller: Caller
  subject: ProjectSubject
}

async function viewOne(
  { app, caller, subject }: ReleaseViewer,
  release: ReleaseRow,
  shown?: ShownDescriptions,
): Promise<Release> {
  const view = await viewRelease(app, caller, subject, release, shown)
  return presentRelease(view, presentation(app, caller, subject))
}

export const releaseHandlers: Handlers<typeof releasesContract> = {
  async list({ app, caller, subject, query, page }) {
    const { max_description_length: maxLength, include_html_description: withHtml } = query
    const found = await listReleases(app.db, subject.row.id, page)
    const shown = { maxLength, withHtml }
    const views = await viewReleases(app, caller, subject, found.items, shown)
    return { ...found, items: presentReleases(views, presentation(app, caller, subject)) }
  },

  async show({ app, caller, subject, params, query }) {
    const release = await requireRelease(app, subject.row.id, params.tag_name)
    const shown = { withHtml: query.include_html_description }
    return viewOne({ app, caller, subject }, release, shown)
  },

  async create({ app, caller, subject, body }) {
    const { tag_name: tag, released_at: releasedAt, assets, ...texts } = body
    const request = { ...texts, tag, releasedAt, links: assets?.links }
    const release = await createRelease(app, { subject, caller }, request)
    return viewOne({ app, caller, subject }, release)
  },

  async update({ app, caller, subject, params, body }) {
    const { released_at: releasedAt, ...texts } = body
    const release = await requireRelease(app, subject.row.id, params.tag_name)
    const changed = await changeRelease(app, release, { ...texts, releasedAt })
    return viewOne({ app, caller, subject }, changed)
  },

  async remove({ app, caller, subject, params, headers }) {
    const release = await requireRelease(app, subject.row.id, params.tag_name)
    requireUnmodified(headers, release.updatedAt)
    const answer = await viewOne({ app, caller, subject }, release)
    await removeRelease(app, release)
    return answer
  },
}
