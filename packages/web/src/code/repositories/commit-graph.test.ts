import { describe, expect, it } from 'vitest'
import { layOutGraph } from './commit-graph.ts'

const commit = (id: string, ...parents: string[]) => ({ id, parent_ids: parents })

describe('layOutGraph', () => {
  it('keeps a line of history in its lane, and a branch beside it', () => {
    const graph = layOutGraph([
      commit('e', 'd', 'c'),
      commit('d', 'b'),
      commit('c', 'b'),
      commit('b', 'a'),
      commit('a'),
    ])
    expect(graph.lanes).toEqual([0, 0, 1, 0, 0])
    expect(graph.width).toBe(2)
    expect(graph.edges).toContainEqual({ fromRow: 0, fromLane: 0, lane: 1, toRow: 2, toLane: 1 })
    expect(graph.edges).toContainEqual({ fromRow: 2, fromLane: 1, lane: 1, toRow: 3, toLane: 0 })
    expect(graph.edges).toHaveLength(5)
  })

  it('lets lines to parents that are not listed run to the end', () => {
    const { edges } = layOutGraph([commit('b', 'a')])
    expect(edges).toEqual([{ fromRow: 0, fromLane: 0, lane: 0, toRow: 1, toLane: 0 }])
  })

  it('gives branches without a common commit lanes of their own', () => {
    const { lanes } = layOutGraph([commit('d', 'b'), commit('c', 'a'), commit('b'), commit('a')])
    expect(lanes).toEqual([0, 1, 0, 1])
  })

  it('lays out no commits, and a merge of many', () => {
    expect(layOutGraph([])).toEqual({ lanes: [], edges: [], width: 0 })
    const parents = Array.from({ length: 8 }, (_, at) => `p${at}`)
    const graph = layOutGraph([commit('m', ...parents), ...parents.map((id) => commit(id))])
    expect(graph.width).toBe(8)
    expect(new Set(graph.lanes.slice(1)).size).toBe(8)
  })
})
