import type { Deployment, LastDeployment } from '@stithy/core'
import type { DeploymentRow } from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { timestampText } from '../../platform/http/timestamp.ts'
import { viewJobs } from '../jobs/job-views.service.ts'

/** Who views deployments of which project. */
export interface DeploymentViewer {
  app: App
  caller: Caller
  subject: ProjectSubject
}

/** Presents deployments with their environments. One query, and two more if jobs deployed. */
export async function viewDeployments(
  viewer: DeploymentViewer,
  rows: readonly DeploymentRow[],
): Promise<Deployment[]> {
  const summaries = await viewSummaries(viewer, rows)
  return rows.flatMap((row, index) => {
    const { environmentId: id, environmentName: name, environmentSlug: slug } = row
    const summary = summaries[index]
    const environment = { id, name, slug, external_url: row.environmentUrl }
    return summary === undefined ? [] : [{ ...summary, environment }]
  })
}

/** Presents one deployment with its environment. */
export async function viewDeployment(
  viewer: DeploymentViewer,
  row: DeploymentRow,
): Promise<Deployment> {
  const [deployment] = await viewDeployments(viewer, [row])
  if (deployment === undefined) throw new TypeError('a deployment has no view')
  return deployment
}

/** Presents a deployment as its environment shows it. */
export async function viewLastDeployment(
  viewer: DeploymentViewer,
  row: DeploymentRow | undefined,
): Promise<LastDeployment | null> {
  if (row === undefined) return null
  const [deployment] = await viewSummaries(viewer, [row])
  return deployment ?? null
}

async function viewSummaries(
  { app, caller, subject }: DeploymentViewer,
  rows: readonly DeploymentRow[],
): Promise<LastDeployment[]> {
  const users = await userRefs(
    app,
    rows.flatMap(({ userId }) => userId ?? []),
  )
  const jobIds = rows.flatMap(({ jobId }) => jobId ?? [])
  const jobs = await viewJobs(app, caller, subject, jobIds)
  return rows.map((row) => ({
    id: row.id,
    iid: row.iid,
    ref: row.ref,
    sha: row.sha,
    status: row.status,
    created_at: timestampText(row.createdAt),
    updated_at: timestampText(row.updatedAt),
    user: (row.userId === null ? undefined : users.get(row.userId)) ?? null,
    deployable: (row.jobId === null ? undefined : jobs.get(row.jobId)) ?? null,
  }))
}
