import { describe, expect, it } from 'vitest'
import { html } from '../html/html.ts'
import { page } from '../pages/reply.ts'
import { groupPage, instancePage, projectAction, projectPage, userPage } from './route.ts'
import { createRouter } from './router.ts'

const handle = async () => page({ title: '', body: html`` })
const router = createRouter([
  instancePage('', handle),
  instancePage('explore', handle),
  instancePage('snippets/:id', handle),
  projectPage('', handle),
  projectPage('issues', handle),
  projectPage('issues/:iid', handle),
  projectAction('issues', handle),
  projectPage('blob/*target', handle),
  projectPage('compare/:refs', handle),
  groupPage('', handle),
  groupPage('milestones/:iid', handle),
  userPage('', handle),
  userPage('projects', handle),
])

const found = (path: string, method = 'GET') =>
  router.match(method, path).map(({ route, params }) => [route.scope, route.pattern, params])

describe('an address', () => {
  it.each([
    ['/', [['instance', '', {}]]],
    ['/explore', [['instance', 'explore', {}]]],
    ['/snippets/7', [['instance', 'snippets/:id', { id: '7' }]]],
    ['/a/b/-/issues/1', [['project', 'issues/:iid', { project: 'a/b', iid: '1' }]]],
    ['/a/b/c/-/issues', [['project', 'issues', { project: 'a/b/c' }]]],
    [
      '/a/b/-/blob/master/src/-/x%20y.ts',
      [['project', 'blob/*target', { project: 'a/b', target: 'master/src/-/x y.ts' }]],
    ],
    ['/groups/a/b', [['group', '', { group: 'a/b' }]]],
    ['/groups/a/b/-/milestones/1', [['group', 'milestones/:iid', { group: 'a/b', iid: '1' }]]],
    ['/a/-/milestones/1', [['group', 'milestones/:iid', { group: 'a', iid: '1' }]]],
    ['/a/b/-/milestones/1', [['group', 'milestones/:iid', { group: 'a/b', iid: '1' }]]],
    ['/users/kim/projects', [['user', 'projects', { user: 'kim' }]]],
    ['/a/b/-/nothing', []],
    ['/-/nothing', []],
    ['/a/%ff', []],
    ['/a/%00', []],
    [`/${'a/'.repeat(201)}`, []],
  ])('%s is found', (path, expected) => {
    expect(found(path)).toEqual(expected)
  })

  it('without a dash may be a page of a project, a project or a group', () => {
    expect(found('/a/b/issues')).toEqual([
      ['project', 'issues', { project: 'a/b' }],
      ['project', '', { project: 'a/b/issues' }],
      ['group', '', { group: 'a/b/issues' }],
    ])
    expect(found('/kim')).toEqual([
      ['group', '', { group: 'kim' }],
      ['user', '', { user: 'kim' }],
    ])
  })

  it('of a group without a dash may be a group in it, or a page of it', () => {
    expect(found('/groups/a/b/milestones/1')).toEqual([
      ['group', '', { group: 'a/b/milestones/1' }],
      ['group', 'milestones/:iid', { group: 'a/b', iid: '1' }],
    ])
  })

  it('of a form has the same form for another method', () => {
    expect(found('/a/b/-/issues', 'POST')).toEqual([['project', 'issues', { project: 'a/b' }]])
    expect(found('/a/b/-/issues/1', 'POST')).toEqual([])
  })

  it('keeps an encoded slash within a segment', () => {
    expect(found('/a/b/-/compare/x%2Fy...z')).toEqual([
      ['project', 'compare/:refs', { project: 'a/b', refs: 'x/y...z' }],
    ])
  })
})
