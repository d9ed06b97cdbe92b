import { describe, expect, it } from 'vitest'
import { requestPushOptions } from './request-push-options.rules.ts'

const nothing = {
  create: false,
  removeSourceBranch: false,
  mergeWhenPipelineSucceeds: false,
  labels: [],
  removedLabels: [],
  assign: [],
  unassign: [],
}

describe('requestPushOptions', () => {
  it.each([[[]], [['ci.skip']], [['merge_request']], [['merge_requests.create']]])(
    'is undefined without an option for merge requests: %j',
    (options) => {
      expect(requestPushOptions(options)).toBeUndefined()
    },
  )

  it('reads switches, texts and lists, with both prefixes', () => {
    const options = [
      'merge_request.create',
      'mr.target=main',
      'mr.title=A = b',
      'merge_request.label=a',
      'mr.label=b',
      'mr.unlabel=c',
      'mr.assign=ada',
      'mr.unassign=2',
      'mr.milestone=One',
      'mr.description=Text',
      'mr.remove_source_branch',
      'mr.merge_when_pipeline_succeeds',
    ]
    expect(requestPushOptions(options)).toEqual({
      create: true,
      target: 'main',
      title: 'A = b',
      description: 'Text',
      milestone: 'One',
      removeSourceBranch: true,
      mergeWhenPipelineSucceeds: true,
      labels: ['a', 'b'],
      removedLabels: ['c'],
      assign: ['ada'],
      unassign: ['2'],
    })
  })

  it('ignores unknown options, blank values and names of object properties', () => {
    const options = ['mr.constructor=x', 'mr.toString', 'mr.title=', 'mr.label', 'mr.create=false']
    expect(requestPushOptions(options)).toEqual(nothing)
  })

  it('takes the last of several texts', () => {
    expect(requestPushOptions(['mr.title=a', 'mr.title=b'])?.title).toBe('b')
  })
})
