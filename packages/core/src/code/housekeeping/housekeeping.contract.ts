import { endpoint } from '../../platform/contract/endpoint.ts'

/** The housekeeping of a repository. */
export const housekeepingContract = {
  start: endpoint({
    name: 'projects.housekeeping.start',
    method: 'POST',
    path: '/projects/:id/housekeeping',
    response: { 201: null },
    auth: { on: 'project', ability: 'housekeep_project' },
    errors: ['conflict'],
    docs: {
      summary: 'Start the housekeeping of a project',
      description: 'Packs the repository in the background. Returns 409 while that is running.',
    },
  }),
}
