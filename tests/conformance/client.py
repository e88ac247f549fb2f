"""The official Python client on a server over stdin and stdout: `client.py legacy|auto COMMAND ARG...` prints what it saw."""

import asyncio
import json
import os
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters
from mcp.types import ResourceTemplateReference


async def main(mode: str, command: str, *arguments: str) -> None:
    server = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    async with Client(server, mode=mode) as client:
        root = Path.cwd().as_posix().lstrip("/")
        resolved = await client.call_tool("path_resolve", {"failed_path": "app.ts"})
        template = ResourceTemplateReference(type="ref/resource", uri="file:///{path}")
        completed = await client.complete(template, {"name": "path", "value": f"{root}/src/a"})
        read = await client.read_resource(f"file:///{root}/src/app.ts")
        seen = {
            "protocol": client.protocol_version,
            "tools": sorted(tool.name for tool in (await client.list_tools()).tools),
            "resolved": resolved.structured_content,
            "completed": [value.removeprefix(f"{root}/") for value in completed.completion.values],
            "read": read.contents[0].text,
            "prompts": [prompt.name for prompt in (await client.list_prompts()).prompts],
        }
    print(json.dumps(seen))


asyncio.run(main(*sys.argv[1:]))
