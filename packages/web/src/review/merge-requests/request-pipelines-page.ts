import type { PipelineRef } from '@stithy/core'
import { projectPlace } from '../../directory/projects/project-place.ts'
import { type BadgeKind, badge } from '../../platform/design/badge.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { requestAddress } from './merge-request-address.ts'
import { requestKey, requestParams } from './request-call.ts'
import { requestHeader } from './request-header.ts'
import { loadRequest } from './request-view.ts'

const kinds: Readonly<Record<string, BadgeKind>> = {
  success: 'good',
  failed: 'danger',
  running: 'warning',
  pending: 'warning',
}

/** `GET /<project>/-/merge_requests/:iid/pipelines`: those of its commits, newest first. */
export async function showRequestPipelines(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const params = requestParams(call)
  const [view, pipelines] = await loadAll([
    loadRequest(call),
    client.mergeRequests.pipelines({ ...params, ...pageNumber(query) }),
  ])
  const path = view.project.path_with_namespace
  const list =
    pipelines.items.length === 0
      ? emptyState({
          title: 'No pipelines yet',
          text: 'A pipeline appears when a build server reports the status of a commit.',
        })
      : rows(pipelines.items.map((pipeline) => pipelineRow(pipeline, path)))
  return page({
    title: `Pipelines · ${view.request.title} (!${view.request.iid}) · ${path}`,
    place: projectPlace(view.project, 'merge_requests'),
    body: html`${requestHeader(call, view, 'pipelines')}
<h2 class="hidden">Pipelines</h2>
${card({ body: list, isFlush: true })}
${pagination(pipelines, requestAddress(requestKey(call), 'pipelines'), query)}`,
  })
}

function pipelineRow({ id, sha, ref, status }: PipelineRef, project: string): Html {
  return row({
    start: badge(status, kinds[status] ?? ''),
    title: html`<span class="title">#${id}</span>`,
    details: html`<span>of ${ref}</span>`,
    end: html`<a href="${projectAddress(project, 'commit', sha)}"><code>${sha.slice(0, 8)}</code></a>`,
  })
}
