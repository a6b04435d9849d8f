"""The counters of a result, written from harness/emulator/core/counters.def.

To change one, change its line there, then `PYTHONPATH=harness .venv/bin/python -m check.counter_documents --write`.
"""

from typing import Annotated, Literal, Self

from pydantic import Field

from simtlab.record import Record

Count = Annotated[int, Field(ge=0)]


class RequestCounters(Record):
    """Of the requests of one place in the source."""

    requests: Count
    """Memory instructions of warps with at least one active lane."""
    lanes: Count
    """Active lanes, summed over requests."""
    bytes: Count
    """Bytes that the lanes ask for: lanes times width."""
    sectors: Count
    """Pieces of 32 bytes that requests touch."""
    ideal_sectors: Count
    """Fewest sectors that could hold the distinct bytes asked for."""
    lines: Count
    """Pieces of 128 bytes that requests touch."""
    wavefronts: Count
    """Passes of requests through the 32 banks."""
    ideal_wavefronts: Count
    """Fewest passes that the width and the active lanes allow."""
    largest_wavefronts: Count
    """Passes of the request that takes most: the degree of its bank conflict; the maximum, no sum."""
    distinct_words: Count
    """Different words of 4 bytes in a request, summed over requests."""
    indexed_bytes: Count
    """Bytes of requests whose lanes ask for different places of local memory: what no register can do."""
    copied_requests: Count
    """Of the requests, those of asynchronous copies (LDGSTS), which Nsight Compute counts apart."""
    copied_wavefronts: Count
    """Of the wavefronts, those of asynchronous copies (LDGSTS)."""
    generic_wavefronts: Count
    """Wavefronts of shared memory that atomics by an address of any space (ATOM) take on their way."""
    same_address_lanes: Count
    """Lanes at a request's most contended address, summed over requests."""

    def plus(self, other: Self) -> Self:
        """These counters with those of `other`; all else stays as it is here."""
        return self.model_copy(
            update={
                "requests": self.requests + other.requests,
                "lanes": self.lanes + other.lanes,
                "bytes": self.bytes + other.bytes,
                "sectors": self.sectors + other.sectors,
                "ideal_sectors": self.ideal_sectors + other.ideal_sectors,
                "lines": self.lines + other.lines,
                "wavefronts": self.wavefronts + other.wavefronts,
                "ideal_wavefronts": self.ideal_wavefronts + other.ideal_wavefronts,
                "largest_wavefronts": max(self.largest_wavefronts, other.largest_wavefronts),
                "distinct_words": self.distinct_words + other.distinct_words,
                "indexed_bytes": self.indexed_bytes + other.indexed_bytes,
                "copied_requests": self.copied_requests + other.copied_requests,
                "copied_wavefronts": self.copied_wavefronts + other.copied_wavefronts,
                "generic_wavefronts": self.generic_wavefronts + other.generic_wavefronts,
                "same_address_lanes": self.same_address_lanes + other.same_address_lanes,
            }
        )


class LaunchTotals(Record):
    """Of a launch, beside its accesses."""

    steps: Count
    """Basic blocks that warps enter."""
    divergent_steps: Count
    """Steps that only part of the lanes of a segment take."""
    barriers: Count
    """Barriers of blocks that were released."""
    busiest_warp_requests: Count
    """Requests of the warp that makes most between two barriers, local memory left out; the maximum, no sum."""
    working_warps: Count
    """Warps that make a request, local memory left out."""
    warp_value_primitives: Count
    """Warp primitives that carry values: shuffles, votes, match, reduce."""
    warp_votes: Count
    """Of these, votes, to which a lane gives one bit."""
    foreign_bytes: Count
    """Bytes that lanes read in shared memory where another thread has stored; counted where a criterion asks for it."""
    warp_instructions: Count
    """Machine instructions that warps execute; 0 unless code of nvcc has run (--engine sass)."""
    lane_instructions: Count
    """Machine instructions that lanes execute in such a launch, those of a lane whose predicate does not hold, too."""
    registers: Count
    """Registers of a thread, by ptxas (32 at least with printf); 0 unless code of nvcc has run; the maximum, no sum."""
    stack_bytes: Count
    """Bytes of a thread's stack, by ptxas, in such a launch; the maximum, no sum."""
    spill_bytes: Count
    """Bytes that a thread spills and reads back, by ptxas, in such a launch; the maximum, no sum."""

    def plus(self, other: Self) -> Self:
        """These counters with those of `other`; all else stays as it is here."""
        return self.model_copy(
            update={
                "steps": self.steps + other.steps,
                "divergent_steps": self.divergent_steps + other.divergent_steps,
                "barriers": self.barriers + other.barriers,
                "busiest_warp_requests": max(self.busiest_warp_requests, other.busiest_warp_requests),
                "working_warps": self.working_warps + other.working_warps,
                "warp_value_primitives": self.warp_value_primitives + other.warp_value_primitives,
                "warp_votes": self.warp_votes + other.warp_votes,
                "foreign_bytes": self.foreign_bytes + other.foreign_bytes,
                "warp_instructions": self.warp_instructions + other.warp_instructions,
                "lane_instructions": self.lane_instructions + other.lane_instructions,
                "registers": max(self.registers, other.registers),
                "stack_bytes": max(self.stack_bytes, other.stack_bytes),
                "spill_bytes": max(self.spill_bytes, other.spill_bytes),
            }
        )


class HostCounters(Record):
    """Of a program's host side."""

    allocations: Count
    """Allocations of device memory."""
    frees: Count
    """Allocations that were freed."""
    allocated_bytes: Count
    """Bytes of all allocations."""
    leaked_bytes: Count
    """Bytes of allocations that were never freed."""
    copies_to_device: Count
    """Copies from host to device memory."""
    bytes_to_device: Count
    """Bytes of these."""
    copies_to_host: Count
    """Copies from device to host memory."""
    bytes_to_host: Count
    """Bytes of these."""
    redundant_bytes: Count
    """Bytes copied although the destination held them by an earlier copy of the same source."""
    api_calls: Count
    """Calls of the CUDA API."""
    launches: Count
    """Kernels launched."""
    synchronisations: Count
    """Calls that wait for the device."""
    parameter_bytes: Count
    """Parameters of kernels that are no pointers to memory, over all launches."""
    pages_to_device: Count
    """Pages of managed memory that moved to the device."""
    pages_to_host: Count
    """Pages of managed memory that moved to the host."""
    prefetched_pages: Count
    """Of both, pages that cudaMemPrefetchAsync moved."""
    stream_copy_bytes: Count
    """Bytes of copies between host and device in streams that the program created."""
    overlapped_copy_bytes: Count
    """Of these, bytes that cross while a kernel runs or a copy goes the other way."""


FIDELITY: dict[str, Literal["exact", "model"]] = {
    "requests": "exact",
    "lanes": "exact",
    "bytes": "exact",
    "sectors": "exact",
    "ideal_sectors": "exact",
    "lines": "exact",
    "wavefronts": "model",
    "ideal_wavefronts": "exact",
    "largest_wavefronts": "model",
    "distinct_words": "exact",
    "indexed_bytes": "model",
    "copied_requests": "exact",
    "copied_wavefronts": "model",
    "generic_wavefronts": "exact",
    "same_address_lanes": "exact",
    "steps": "model",
    "divergent_steps": "model",
    "barriers": "exact",
    "busiest_warp_requests": "exact",
    "working_warps": "exact",
    "warp_value_primitives": "exact",
    "warp_votes": "exact",
    "foreign_bytes": "exact",
    "warp_instructions": "exact",
    "lane_instructions": "exact",
    "registers": "exact",
    "stack_bytes": "exact",
    "spill_bytes": "exact",
    "allocations": "exact",
    "frees": "exact",
    "allocated_bytes": "exact",
    "leaked_bytes": "exact",
    "copies_to_device": "exact",
    "bytes_to_device": "exact",
    "copies_to_host": "exact",
    "bytes_to_host": "exact",
    "redundant_bytes": "exact",
    "api_calls": "exact",
    "launches": "exact",
    "synchronisations": "exact",
    "parameter_bytes": "exact",
    "pages_to_device": "model",
    "pages_to_host": "model",
    "prefetched_pages": "model",
    "stream_copy_bytes": "exact",
    "overlapped_copy_bytes": "model",
}
"""How far each counter of the emulator may be believed."""
