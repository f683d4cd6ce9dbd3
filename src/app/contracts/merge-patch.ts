// JSON merge patch (RFC 7396): what is sent changes, null clears, nothing else is touched.

export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else
      Object.defineProperty(merged, name, {
        value: mergePatch(merged[name], value),
        enumerable: true,
        writable: true,
        configurable: true,
      })
  }
  return merged
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
