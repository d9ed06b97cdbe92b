import { type Contributor, listContributors } from '@stithy/git'
import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { slicePage } from '../../../platform/http/slice-page.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../../platform/settings/code-settings.ts'
import { headOf, type SourceRepository } from '../../revisions/revision.service.ts'

/** How contributors are ordered; `commits` is by the date of the last one. */
export interface ContributorOrder {
  order_by?: 'name' | 'email' | 'commits' | undefined
  sort?: 'asc' | 'desc' | undefined
}

/** Lists the authors of the commits on the default branch; none in an empty repository. */
export async function findContributors(
  app: App,
  project: SourceRepository,
  order: ContributorOrder,
  request: PageRequest,
): Promise<Page<Contributor>> {
  const head = await headOf(app, project)
  if (head === undefined) return slicePage([], request)
  const limits = codeLimitsOf(app).contributors
  const found = await listContributors(app.git, repositoryOf(app, project), head, limits)
  return slicePage(sorted(found, order), request)
}

function sorted(
  found: readonly Contributor[],
  { order_by = 'commits', sort = 'asc' }: ContributorOrder,
): Contributor[] {
  const sign = sort === 'asc' ? 1 : -1
  const keyOf = (one: Contributor) =>
    order_by === 'commits' ? one.lastCommitAt : one[order_by].toLowerCase()
  return found
    .map((contributor) => ({ contributor, key: keyOf(contributor) }))
    .sort((one, other) => sign * compare(one.key, other.key) || tie(one, other))
    .map(({ contributor }) => contributor)
}

function tie(one: { contributor: Contributor }, other: { contributor: Contributor }): number {
  return compare(one.contributor.email, other.contributor.email)
}

function compare(one: string | number, other: string | number): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
