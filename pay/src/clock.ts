// The time that is left, by the server's clock: that of the payer may be wrong.
import { mainOf, marked, say } from './page.ts'

/** Minutes at which a screen reader says how many are left. */
const SAID_AT = new Set([10, 5, 2, 1])
const SOON_MS = 60_000

/** What the server's clock is ahead of ours. */
let aheadMs = 0
let ticking: ReturnType<typeof setInterval> | undefined
let saidMinute = -1

/** Notes the server's time. */
export function setServerTime(serverMs: number): void {
  if (Number.isFinite(serverMs)) aheadMs = serverMs - Date.now()
}

/** Starts the countdown of the page as it is now, and writes its times in the reader's language. */
export function keepTime(timeIsUp: () => void): void {
  clearInterval(ticking)
  localTimes()
  setServerTime(Number(mainOf()?.dataset['now']))
  const timer = document.getElementById('timer')
  if (!timer) return
  const due = Number(timer.dataset['due'])
  const { left = '', up = '' } = timer.dataset
  const figure = document.createElement('strong')
  timer.replaceChildren(left, figure)
  const tick = () => {
    const leftMs = due - Date.now() - aheadMs
    figure.textContent = clockText(leftMs)
    timer.classList.toggle('soon', leftMs < SOON_MS)
    if (leftMs > 0) return sayMinutes(timer, leftMs)
    clearInterval(ticking)
    timer.textContent = up
    say(up)
    timeIsUp()
  }
  ticking = setInterval(tick, 1000)
  tick()
}

function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

function sayMinutes({ dataset }: HTMLElement, leftMs: number): void {
  const minute = Math.ceil(leftMs / 60_000)
  const isFirst = saidMinute < 0
  if (minute === saidMinute) return
  saidMinute = minute
  if (isFirst || !SAID_AT.has(minute)) return
  say((minute === 1 ? dataset['minute'] : dataset['minutes']?.replace('{n}', String(minute))) ?? '')
}

function localTimes(): void {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })
  for (const time of marked('local')) {
    const at = Date.parse(time.getAttribute('datetime') ?? '')
    if (Number.isFinite(at)) time.textContent = format.format(at)
  }
}
