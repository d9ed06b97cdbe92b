import { describe, expect, it } from 'vitest'
import { pipelineStates } from '../../code/commits/pipeline-states.ts'
import {
  defaultMergeMessage,
  defaultSquashMessage,
  isPipelineActive,
  isPipelinePassed,
} from './merging.rules.ts'

describe('defaultMergeMessage', () => {
  const parts = {
    sourceBranch: 'topic',
    targetBranch: 'main',
    title: 'A title',
    reference: 'g/p!7',
  }

  it.each([
    [[], "Merge branch 'topic' into 'main'\n\nA title\n\nSee merge request g/p!7"],
    [['#1'], "Merge branch 'topic' into 'main'\n\nA title\n\nCloses #1\n\nSee merge request g/p!7"],
    [
      ['#1', 'g/q#2'],
      "Merge branch 'topic' into 'main'\n\nA title\n\nCloses #1 and g/q#2\n\nSee merge request g/p!7",
    ],
  ])('names the branches, the title and the closed issues: %j', (closes, message) => {
    expect(defaultMergeMessage({ ...parts, closes })).toBe(message)
  })
})

describe('defaultSquashMessage', () => {
  const commit = (message: string, parents = ['a']) => ({ message, parents })

  it('is the message of the first commit with a body that is no merge', () => {
    const commits = [
      commit('Merge\n\nbody', ['a', 'b']),
      commit('one\n\n'),
      commit('two\n\nbody\n'),
      commit('three\n\nbody'),
    ]
    expect(defaultSquashMessage(commits, 'Title')).toBe('two\n\nbody\n')
  })

  it('is the title if no commit has a body', () => {
    expect(defaultSquashMessage([commit('one'), commit('two\n')], 'Title')).toBe('Title')
  })
})

describe('the states of pipelines', () => {
  it('can be waited for or have passed, never both', () => {
    expect(pipelineStates.filter(isPipelineActive).toSorted()).toEqual([
      'created',
      'pending',
      'preparing',
      'running',
    ])
    expect(pipelineStates.filter(isPipelinePassed).toSorted()).toEqual(['skipped', 'success'])
  })
})
