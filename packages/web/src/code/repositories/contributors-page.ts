import type { Contributor } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { formatCount, plural } from '../../platform/text/numbers.ts'

/** `GET /<project>/-/graphs/<ref>`: who made the commits of the default branch. */
export async function showContributors(call: PageCall): Promise<Reply> {
  const { client, params, query } = call
  const projectId = params.project ?? ''
  const [project, contributors] = await loadAll([
    loadProject(call),
    client.repository.contributors({ projectId, per_page: 50, ...pageNumber(query) }),
  ])
  const ranked = contributors.items.toSorted((one, other) => other.commits - one.commits)
  const self = projectAddress(
    projectId,
    'graphs',
    params.target || (project.default_branch ?? 'HEAD'),
  )
  const people = contributors.total ?? ranked.length
  return page({
    title: `Contributors · ${projectId}`,
    place: projectPlace(project, 'commits'),
    body: html`${heading('Contributors')}
<p class="muted">${plural(people, 'person', 'people')} made the commits of ${project.default_branch ?? 'the default branch'}, without merges.</p>
${card({ body: ranked.length === 0 ? emptyState({ title: 'Nobody yet', text: 'Push some commits.' }) : plot(ranked) })}
${pagination(contributors, self, query)}`,
  })
}

const barHeight = 18
const gap = 10
const textWidth = 260
const barWidth = 640

/** The commits of each as a bar; the table below it says the same. */
function plot(contributors: readonly Contributor[]): Html {
  const most = Math.max(contributors[0]?.commits ?? 1, 1)
  const height = contributors.length * (barHeight + gap)
  const bars = contributors.map(({ name, commits }, at) => {
    const y = at * (barHeight + gap)
    const width = Math.max((commits / most) * barWidth, 2)
    return html`<text x="${textWidth - 8}" y="${y + 13}" text-anchor="end">${shorten(name)}</text><rect class="bar" x="${textWidth}" y="${y}" width="${width.toFixed(1)}" height="${barHeight}" rx="2"/><text x="${textWidth + width + 6}" y="${y + 13}">${formatCount(commits)}</text>`
  })
  const rows = contributors.map(
    ({ name, email, commits }) =>
      html`<tr><td>${name}</td><td>${email}</td><td class="number">${formatCount(commits)}</td></tr>`,
  )
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Plot"><svg class="plot" viewBox="0 0 ${textWidth + barWidth + 80} ${height}" width="${textWidth + barWidth + 80}" height="${height}" aria-hidden="true">${bars}</svg></div>
<details><summary>As a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Contributors"><table><thead><tr><th scope="col">Name</th><th scope="col">E-mail</th><th scope="col" class="number">Commits</th></tr></thead><tbody>${rows}</tbody></table></div></details>`
}

function shorten(name: string): string {
  const characters = [...name]
  return characters.length > 34 ? `${characters.slice(0, 33).join('')}…` : name
}
