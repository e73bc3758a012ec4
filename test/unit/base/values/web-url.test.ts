import { describe, expect, it } from 'vitest'
import { webUrlProblem } from '../../../../src/base/values/web-url.ts'

describe('webUrlProblem', () => {
  it('allows plain http and fragments, which links may have', () => {
    expect(webUrlProblem('http://a.example/#help')).toBeNull()
    expect(webUrlProblem('javascript:alert(1)')).not.toBeNull()
    expect(webUrlProblem('https://user@a.example/')).not.toBeNull()
  })
})
