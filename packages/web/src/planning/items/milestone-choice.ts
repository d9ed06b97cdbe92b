import { ifPermitted } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { withoutDescriptions } from '../../platform/pages/without-descriptions.ts'

/** A milestone that an item of a project may have. */
export interface MilestoneChoice {
  id: number
  title: string
}

/** The open milestones of a project and of its group. Two calls at once. */
export async function listMilestoneChoices(
  { client }: Pick<PageCall, 'client'>,
  project: string,
  current?: MilestoneChoice | null,
): Promise<MilestoneChoice[]> {
  const groupId = project.slice(0, project.lastIndexOf('/'))
  const filter = { state: 'active', per_page: 100, ...withoutDescriptions } as const
  const [own, ofGroup] = await loadAll([
    ifPermitted(client.milestones.list({ projectId: project, ...filter })),
    ifPermitted(client.milestones.list({ groupId, ...filter })),
  ])
  const found = [...(own?.items ?? []), ...(ofGroup?.items ?? [])]
  const isKnown = current === null || found.some(({ id }) => id === current?.id)
  return current === undefined || current === null || isKnown ? found : [current, ...found]
}
