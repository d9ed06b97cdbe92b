import { type Page, StithyError } from '@stithy/client'
import { groupPlace, loadGroup } from '../../directory/groups/group-place.ts'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card, emptyState, notice } from '../../platform/design/card.ts'
import { filterForm } from '../../platform/design/filter-form.ts'
import { heading } from '../../platform/design/heading.ts'
import { pagination, tabs } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import type { Place } from '../../platform/pages/place.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { withQuery } from '../../platform/text/addresses.ts'
import { plural } from '../../platform/text/numbers.ts'
import { type Found, resultRows } from './search-results.ts'
import { type Context, contextOf, type Scope, scopeNames, scopeOf } from './search-scopes.ts'

/** `GET /search`, `/<project>/-/search`, `/groups/<group>/-/search`. */
export async function showSearch(call: PageCall): Promise<Reply> {
  const { query } = call
  const context = contextOf(call)
  const scope = scopeOf(context, query)
  const text = (query.get('search') ?? '').trim()
  const [place, found] = await loadAll([
    placeOf(call, context),
    text === '' ? undefined : search(call, context, scope, text),
  ])
  const results =
    found === undefined
      ? hints()
      : await resultsOf(call, { scope, text, found, project: place?.project })
  const title = context.kind === 'everything' ? 'Search' : `Search this ${context.kind}`
  return page({
    title: text === '' ? title : `${text} · ${title}`,
    place: place?.place,
    body: html`${heading(title)}
${filterForm({
  action: '/search',
  label: title,
  search: { name: 'search', value: text, placeholder: 'Search for' },
  kept: { ...keptOf(context), scope },
  button: 'Search',
})}
${context.kind !== 'everything' && html`<p><a href="${withQuery('/search', { search: text, scope })}">Search everything</a></p>`}
${scopeTabs(context, scope, text)}
${results}`,
  })
}

/** The context as parameters of the address. */
function keptOf(context: Context): Record<string, string> {
  if (context.kind === 'project') return { project_id: context.project }
  return context.kind === 'group' ? { group_id: context.group } : {}
}

/** What is searched, and its path if it is a project. */
async function placeOf(
  call: PageCall,
  context: Context,
): Promise<{ place: Place; project?: string } | undefined> {
  if (context.kind === 'project') {
    const own = { ...call, params: { project: context.project } }
    const project = await loadProject(own)
    return { place: projectPlace(project, 'code'), project: project.path_with_namespace }
  }
  if (context.kind === 'everything') return undefined
  const own = { ...call, params: { group: context.group } }
  return { place: groupPlace(await loadGroup(own), 'overview') }
}

function scopeTabs(context: Context, scope: Scope, text: string): Html {
  return tabs(
    'What to find',
    scopeNames(context).map(([name, title]) => ({
      text: title,
      href: withQuery('/search', { ...keptOf(context), search: text, scope: name }),
      isCurrent: name === scope,
    })),
  )
}

/** A page of results, or why there is none. */
type Outcome = Page<Found> | { refusal: string }

/** Characters of a description or comment in which the passage to show is looked for. */
const searchedText = 20_000

const refusals = new Set([400, 403, 503])

async function search(
  { client, query }: PageCall,
  context: Context,
  scope: Scope,
  text: string,
): Promise<Outcome> {
  const ref = query.get('repository_ref') ?? ''
  const wanted = {
    search: text,
    max_description_length: searchedText,
    max_body_length: searchedText,
    ...pageNumber(query),
  }
  // The scope is one of the context's: `scopeOf` chose it.
  const list = client.search.list as (input: object) => PromiseLike<Page<Found>>
  const where =
    context.kind === 'project'
      ? { projectId: context.project, ...(ref === '' ? {} : { ref }) }
      : context.kind === 'group'
        ? { groupId: context.group }
        : {}
  try {
    return await list({ ...where, ...wanted, scope })
  } catch (error) {
    if (!(error instanceof StithyError) || !refusals.has(error.status ?? 0)) throw error
    return { refusal: error.message }
  }
}

function hints(): Html {
  return card({
    body: emptyState({
      title: 'What are you looking for?',
      text: html`Code is found by the text as it is, with filters such as <code>extension:ts</code>, <code>path:src/</code> or <code>filename:*.md</code>.`,
    }),
  })
}

interface Search {
  scope: Scope
  text: string
  found: Outcome
  /** Full path of the project that is searched. */
  project: string | undefined
}

async function resultsOf(call: PageCall, { scope, text, found, project }: Search): Promise<Html> {
  if ('refusal' in found) {
    return notice(
      html`<p>This can't be searched here: an administrator has switched it off, or you may not read it.</p><p class="muted">${found.refusal}</p>`,
      'warning',
    )
  }
  if (found.items.length === 0) {
    const tips = 'Use fewer or other words, or look among other things.'
    return card({ body: emptyState({ title: `Nothing found for “${text}”`, text: tips }) })
  }
  const results = await resultRows(call, { scope, text, project }, found.items)
  return html`${found.total !== null && html`<p class="muted">${plural(found.total, 'result')}</p>`}
${results}
${pagination(found, '/search', searched(call))}`
}

/** The address of a search, which may be one within a project. */
function searched(call: PageCall): URLSearchParams {
  const query = new URLSearchParams(call.query)
  for (const [name, value] of Object.entries(keptOf(contextOf(call)))) query.set(name, value)
  return query
}
