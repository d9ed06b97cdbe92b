import { hash } from 'node:crypto'
import { busyProject } from './measured.ts'
import { createRandom } from './random.ts'
import { epoch, inserter, minute, type World } from './world.ts'

const environments = 5000
const deploymentsOfEach = 4

/**
 * Five thousand environments of the busy project, with four deployments each, the last of which
 * succeeded. Only of the sizes that have what people have (`groupProjects`).
 */
export function fillEnvironments({ db, size, users }: World): void {
  if (size.groupProjects === 0) return
  const random = createRandom('environments')
  const insertEnvironment = inserter(db, 'environments')
  const insertDeployment = inserter(db, 'deployments')
  for (let id = 1; id <= environments; id += 1) {
    const name = id === 1 ? 'production' : `review/branch-${id}`
    const slug = id === 1 ? name : `review-branch-${id}`
    const createdAt = epoch + id * minute
    insertEnvironment({
      ...{ id, projectId: busyProject, name, nameLower: name, slug },
      externalUrl: `https://${slug}.example.com`,
      state: random.chance(0.2) ? 'stopped' : 'available',
      ...{ createdAt, updatedAt: createdAt },
    })
    for (let number = 1; number <= deploymentsOfEach; number += 1) {
      const iid = (id - 1) * deploymentsOfEach + number
      insertDeployment({
        ...{ id: iid, projectId: busyProject, environmentId: id, iid, tag: 0, jobId: null },
        ref: id === 1 ? 'main' : `branch-${id}`,
        sha: hash('sha1', `deployment ${iid}`),
        status: number === deploymentsOfEach ? 'success' : random.pick(['failed', 'canceled']),
        userId: random.pick(users).id,
        createdAt: createdAt + number * minute,
        updatedAt: createdAt + number * minute,
      })
    }
  }
}
