import { endpoint } from '../contract/endpoint.ts'

/** The upkeep of a repository (catalogue: projects, Star ... housekeeping). */
export const housekeepingContract = {
  start: endpoint({
    method: 'POST',
    path: '/projects/:id/housekeeping',
    response: { 201: null },
    auth: { on: 'project', ability: 'housekeep_project' },
    errors: ['conflict'],
    docs: {
      summary: 'Pack the repository of a project in the background',
      tag: 'Repository',
      description: 'Refused with 409 while that is under way.',
    },
  }),
}
