// pathfinder: corrects or explains wrong paths in tool calls. Written by `pathfinder hook install opencode`.
import { spawn } from "node:child_process"

const COMMAND = PROGRAM
const TIMEOUT_MS = 10000

// No failure here stops opencode: it continues without an answer.
function ask(event) {
  return new Promise((resolve) => {
    const child = spawn(COMMAND[0], COMMAND.slice(1), { cwd: event.directory, stdio: ["pipe", "pipe", "ignore"] })
    const timer = setTimeout(() => child.kill(), TIMEOUT_MS)
    let out = ""
    child.stdout.on("data", (chunk) => (out += chunk))
    child.stdin.on("error", () => {})
    child.on("error", () => resolve({}))
    child.on("close", () => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(out) ?? {})
      } catch {
        resolve({})
      }
    })
    child.stdin.end(JSON.stringify(event))
  })
}

export const Pathfinder = async ({ directory }) => {
  // Reads the project ahead, so that the first question does not wait for it.
  void ask({ event: "init", directory })
  // Notes on calls that have not ended yet, by call id.
  const notes = new Map()
  return {
    "tool.execute.before": async ({ tool, callID }, output) => {
      const { args, append, error } = await ask({ event: "tool.execute.before", directory, tool, args: output.args })
      if (error) throw new Error(error)
      if (args) Object.assign(output.args, args)
      if (append) notes.set(callID, append)
    },
    "tool.execute.after": async ({ tool, callID }, output) => {
      const texts = [notes.get(callID)]
      notes.delete(callID)
      if (tool === "bash") {
        const { append } = await ask({ event: "tool.execute.after", directory, tool, output: String(output.output ?? "") })
        texts.push(append)
      }
      const more = texts.filter(Boolean).join("\n")
      if (more) output.output = `${output.output}\n\n${more}`
    },
    "chat.message": async (_input, output) => {
      const last = output.parts.findLast((part) => part.type === "text")
      if (!last) return
      const { append } = await ask({ event: "chat.message", directory, prompt: last.text })
      if (append) output.parts.push({ ...last, id: `${last.id}p`, text: append, synthetic: true })
    },
  }
}
