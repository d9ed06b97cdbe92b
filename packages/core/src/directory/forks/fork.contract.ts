import { z } from 'zod'
import { visibilities } from '../../platform/access/level.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, nonEmptyText, oneOf, optional, text } from '../../platform/contract/fields.ts'
import { fullPathText, nameText, pathText } from '../../platform/contract/text-options.ts'
import { maxDescriptionLength } from '../projects/project.rules.ts'
import { Project } from '../projects/project.schema.ts'
import { forkFilters } from '../projects/project-filters.ts'

/** Forks of projects. */
export const forksContract = {
  list: endpoint({
    name: 'projects.forks.list',
    method: 'GET',
    path: '/projects/:id/forks',
    query: z.object(forkFilters),
    paginated: true,
    keyset: 'desc',
    response: { 200: z.array(Project) },
    auth: { on: 'project', ability: 'read_project', anonymous: true },
    docs: {
      summary: 'List forks of a project',
      description: 'Only direct forks that the caller can see.',
    },
  }),
  create: endpoint({
    name: 'projects.fork',
    method: 'POST',
    path: '/projects/:id/fork',
    body: z.object(
      optional({
        /** Id or full path of a group or user; by default the caller. */
        namespace: text(fullPathText),
        /** The same as newer clients send it. */
        namespace_id: integer({ min: 1 }),
        namespace_path: text(fullPathText),
        name: text(nameText),
        path: text(pathText),
        /** By default that of the source, as is the description. */
        visibility: oneOf(visibilities),
        description: text({ rules: { maxLength: maxDescriptionLength } }),
      }),
    ),
    constraints: [
      { mutuallyExclusive: ['namespace', 'namespace_id'] },
      { mutuallyExclusive: ['namespace', 'namespace_path'] },
      { mutuallyExclusive: ['namespace_id', 'namespace_path'] },
    ],
    response: { 201: Project },
    auth: { on: 'project', ability: 'fork_project' },
    errors: ['forbidden', 'not_found', 'conflict'],
    docs: {
      summary: 'Fork a project',
      description:
        'Creates a project with the same branches and tags, in the namespace of the caller or in ' +
        'one where the caller may create projects. It is complete with the response, shares the ' +
        'files of its objects with the source, and is never more visible than that or its group, ' +
        'whatever `visibility` says.',
    },
  }),
  link: endpoint({
    name: 'projects.forkLink.create',
    method: 'POST',
    path: '/projects/:id/fork/:forked_from_id',
    params: z.object({ forked_from_id: nonEmptyText(fullPathText) }),
    response: { 201: Project },
    auth: { on: 'project', ability: 'change_fork_link' },
    errors: ['not_found', 'conflict'],
    docs: {
      summary: 'Mark a project as a fork of another',
      description:
        'For owners of the project who may read the other one. The project and its forks become ' +
        'no more visible than that.',
    },
  }),
  unlink: endpoint({
    name: 'projects.forkLink.delete',
    method: 'DELETE',
    path: '/projects/:id/fork',
    response: { 204: null },
    auth: { on: 'project', ability: 'change_fork_link' },
    errors: ['not_modified'],
    docs: {
      summary: 'Remove the fork relation of a project',
      description: 'Closes its merge requests to other projects. Returns 304 if it is no fork.',
    },
  }),
}
