import { endpoint } from '../../platform/contract/endpoint.ts'
import { FetchStatistics } from './fetch-statistics.schema.ts'

/** How often a project is fetched. */
export const fetchStatisticsContract = {
  show: endpoint({
    name: 'projects.statistics',
    method: 'GET',
    path: '/projects/:id/statistics',
    response: { 200: FetchStatistics },
    auth: { on: 'project', ability: 'update_project' },
    docs: {
      summary: 'Show how often a project was fetched',
      description:
        'Clones and pulls by Git of the last 30 days (UTC), newest first. Fetches that transferred ' +
        'nothing are not counted.',
    },
  }),
}
